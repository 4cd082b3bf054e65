import type { GetBrokerWindowResponse } from '#proto/saring/market_data/v1/market_data.ts';
import { daysWithRows } from '#quant/broker-flow/completeness.ts';
import type { LoadedDataset } from '../in-memory/dataset-in-use.ts';
import { requireWithin } from './bounds.ts';
import { windowRow } from './broker-figures.ts';
import { noBrokerRows, requireMarket, requireSortBy, requireTopBrokers } from './broker-selection.ts';
import { dayFacts, stockBrokers } from './stock-brokers.ts';
import { requireTicker } from './tickers.ts';
import { MAX_WINDOW_DAYS, tradingDayWindow } from './trading-day.ts';

/**
 * Who bought and who sold a stock over the trading days up to the latest one. `today` is the day in Jakarta.
 * @throws ServiceError invalid_request, not_found for an unknown ticker or a window without rows
 */
export function brokerWindowOf(
  loaded: LoadedDataset,
  wanted: { ticker: string; days: number; market: string; top_n: number; sort_by: string },
  today: string,
): GetBrokerWindowResponse {
  const { dataset, panel, brokerFlow: flow } = loaded;
  const { days } = wanted;
  requireWithin('days', days, 1, MAX_WINDOW_DAYS);
  const market = requireMarket(wanted.market);
  const by = requireSortBy(wanted.sort_by);
  requireTopBrokers(wanted.top_n);
  const { ticker, index } = requireTicker(panel, wanted.ticker);
  const { firstDay, lastDay, date_from, date_to } = tradingDayWindow(panel, days, today);
  const span = { market, ticker: index, firstDay, lastDay };
  const toldDays = daysWithRows(flow, span);
  if (toldDays.length === 0) throw noBrokerRows(`${ticker} in ${market} from ${date_from} to ${date_to}`);
  const { shared, listed } = stockBrokers(panel, flow, span, { by, limit: wanted.top_n });
  return {
    ...{ ticker, market, sort_by: by, days, date_from, date_to },
    trading_days: toldDays.length,
    partial_days: toldDays.filter((day) => dayFacts(loaded, flow, span, day, today)?.isPartial).length,
    ...shared,
    brokers: listed.map((total) => windowRow(flow.columns.brokers, total)),
    dataset_version: dataset.version,
    broker_data: dataset.broker_data,
  };
}
