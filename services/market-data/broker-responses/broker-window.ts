import type { BrokerClassDay, GetBrokerWindowResponse } from '#proto/saring/market_data/v1/market_data.ts';
import type { BrokerFlow, Market } from '#quant/broker-rows/broker-flow.ts';
import { classOf } from '#quant/broker-rows/class-flows.ts';
import { numberAt } from '#quant/broker-rows/packed-column.ts';
import type { RankedBy } from '#quant/broker-rows/ranking.ts';
import { daysWithRows } from '#quant/broker-rows/completeness.ts';
import { windowRow, noBrokerRows } from './broker-figures.ts';
import { dayFacts, stockBrokers } from './stock-brokers.ts';
import { ofVersionWithBrokers, adjustedTo } from '../responses/adjustment.ts';
import { requireTicker } from '../responses/tickers.ts';
import { tradingDayWindow } from '../responses/trading-day.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';

/**
 * The buyers and sellers of a stock over the trading days up to the latest one. `today` is the day in Jakarta.
 * @throws ServiceError not_found for an unknown ticker or a window without rows
 */
export function brokerWindowOf(
  loaded: LoadedDataset,
  request: { ticker: string; days: number; market: Market; top_n: number; sort_by: RankedBy },
  today: string,
): GetBrokerWindowResponse {
  const { dataset, panel, brokerFlow: flow } = loaded;
  const { days, market, top_n, sort_by } = request;
  const { ticker, index } = requireTicker(panel, request.ticker);
  const { firstDay, lastDay, date_from, date_to } = tradingDayWindow(panel, days, today);
  const span = { market, ticker: index, firstDay, lastDay, asOfDay: adjustedTo(panel) };
  const toldDays = daysWithRows(flow, span);
  if (toldDays.length === 0) throw noBrokerRows(`${ticker} in ${market} from ${date_from} to ${date_to}`);
  const { shared, listed } = stockBrokers(panel, flow, span, { by: sort_by, limit: top_n });
  return {
    ticker,
    market,
    sort_by,
    days,
    date_from,
    date_to,
    trading_days: toldDays.length,
    partial_days: toldDays.filter((day) => dayFacts(loaded, flow, span, day, today)?.isPartial).length,
    ...shared,
    brokers: listed.map((total) => windowRow(flow.columns.brokers, total)),
    by_day: toldDays.map((day) => classDay(flow, span, day, panel.columns.dates[day]!)),
    ...ofVersionWithBrokers(dataset, panel),
  };
}

/** Net value of each broker class on a day (calendar index). */
function classDay(
  flow: BrokerFlow,
  { market, ticker }: { market: Market; ticker: number },
  day: number,
  date: string,
): BrokerClassDay {
  const { broker, brokers, buy_value, sell_value } = flow.columns;
  const net = { foreign: 0, retail: 0, bandar: 0 };
  const { from, to } = flow.rows(market, ticker, day);
  for (let row = from; row < to; row++)
    net[classOf(brokers, broker[row]!)] += numberAt(buy_value, row) - numberAt(sell_value, row);
  const { foreign, retail, bandar } = net;
  return { date, foreign_net_value: foreign, retail_net_value: retail, bandar_net_value: bandar };
}
