import type { GetBrokersResponse } from '#proto/saring/market_data/v1/market_data.ts';
import type { BrokerTotal } from '#quant/broker-flow/broker-totals.ts';
import type { FlowBrokers } from '#quant/broker-flow/flow-columns.ts';
import type { LoadedDataset } from '../in-memory/dataset-in-use.ts';
import type { BrokerRowsOfDay } from '../in-memory/older-broker-days.ts';
import { noBrokerRows, requireMarket, requireSortBy, requireTopBrokers } from './broker-selection.ts';
import { rounded } from './rounding.ts';
import { dayFacts, stockBrokers } from './stock-brokers.ts';
import { requireTicker } from './tickers.ts';
import { tradingDay } from './trading-day.ts';

export interface BrokersOfDay {
  ticker: string;
  date: string;
  market: string;
  top_n: number;
  sort_by: string;
}

/**
 * Who bought and who sold a stock on one day. `today` is the day in Jakarta.
 * @throws ServiceError invalid_request, data_unavailable, not_found for an unknown ticker or a day without rows
 */
export async function brokersOf(
  loaded: LoadedDataset,
  wanted: BrokersOfDay,
  today: string,
  rowsOfDay: BrokerRowsOfDay,
): Promise<GetBrokersResponse> {
  return (await brokerDay(loaded, wanted, today, rowsOfDay)).answer;
}

interface BrokerDay {
  answer: GetBrokersResponse;
  /** Indices of the panel. */
  ticker: number;
  day: number;
  /** Every broker of both lists once, by code. */
  listed: BrokerTotal[];
  brokers: FlowBrokers;
}

/** The same with what it is made of. */
export async function brokerDay(
  loaded: LoadedDataset,
  wanted: BrokersOfDay,
  today: string,
  rowsOfDay: BrokerRowsOfDay,
): Promise<BrokerDay> {
  const { dataset, panel } = loaded;
  const market = requireMarket(wanted.market);
  const by = requireSortBy(wanted.sort_by);
  requireTopBrokers(wanted.top_n);
  const { ticker, index } = requireTicker(panel, wanted.ticker);
  const day = tradingDay(panel, wanted.date, today);
  const date = panel.columns.dates[day]!;
  const flow = await rowsOfDay(loaded, { day, market, ticker: index });
  const span = { market, ticker: index, firstDay: day, lastDay: day };
  const facts = dayFacts(loaded, flow, span, day, today);
  if (!facts) throw noBrokerRows(`${ticker} in ${market} on ${date}`);
  const { shared, listed } = stockBrokers(panel, flow, span, { by, limit: wanted.top_n });
  const answer = {
    ...{ ticker, date, market, sort_by: by },
    close: panel.columns.close[panel.lastRow(index, day)]!,
    is_partial: facts.isPartial,
    mode: facts.isNet ? 'net' : 'gross',
    coverage_pct: facts.coverage === null ? undefined : rounded(100 * facts.coverage),
    ...shared,
    dataset_version: dataset.version,
    broker_data: dataset.broker_data,
  };
  return { answer, ticker: index, day, listed, brokers: flow.columns.brokers };
}
