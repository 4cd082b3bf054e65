import type {
  GetBrokersResponse,
  MarketDataServiceService,
} from '#proto/saring/market_data/v1/market_data.ts';
import type { BrokerTotal } from '#quant/broker-rows/broker-totals.ts';
import type { FlowBrokers } from '#quant/broker-rows/broker-flow.ts';
import type { CheckedRequestOf } from '#platform/grpc/method-types.ts';
import type { BrokerRowsOfDay } from '../in-memory/older-broker-days.ts';
import { noBrokerRows } from './broker-figures.ts';
import { ofVersionWithBrokers, adjustedTo, adjustment, rounded } from '../responses/adjustment.ts';
import { dayFacts, stockBrokers } from './stock-brokers.ts';
import { requireTicker } from '../responses/tickers.ts';
import { tradingDay } from '../responses/trading-day.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';

export type BrokersOfDay = CheckedRequestOf<MarketDataServiceService['getBrokers']>;

/**
 * The buyers and sellers of a stock on one day. `today` is the day in Jakarta.
 * @throws ServiceError data_unavailable, not_found for an unknown ticker or a day without rows
 */
export async function brokersOf(
  loaded: LoadedDataset,
  request: BrokersOfDay,
  today: string,
  rowsOfDay: BrokerRowsOfDay,
): Promise<GetBrokersResponse> {
  return (await brokerDay(loaded, request, today, rowsOfDay)).answer;
}

interface BrokerDay {
  answer: GetBrokersResponse;
  /** Index in the panel, as is `day`. */
  ticker: number;
  day: number;
  /** Every broker in either list, once, by code. */
  listed: BrokerTotal[];
  brokers: FlowBrokers;
}

/** The response together with the data it was built from. */
export async function brokerDay(
  loaded: LoadedDataset,
  request: BrokersOfDay,
  today: string,
  rowsOfDay: BrokerRowsOfDay,
): Promise<BrokerDay> {
  const { dataset, panel } = loaded;
  const { market, sort_by, top_n } = request;
  const { ticker, index } = requireTicker(panel, request.ticker);
  const day = tradingDay(panel, request.date, today);
  const date = panel.columns.dates[day]!;
  const flow = await rowsOfDay(loaded, { day, market, ticker: index });
  const span = { market, ticker: index, firstDay: day, lastDay: day, asOfDay: adjustedTo(panel) };
  const facts = dayFacts(loaded, flow, span, day, today);
  if (!facts) throw noBrokerRows(`${ticker} in ${market} on ${date}`);
  const { shared, listed } = stockBrokers(panel, flow, span, { by: sort_by, limit: top_n });
  const response = {
    ticker,
    date,
    market,
    sort_by,
    close: adjustment(panel, index).close(panel.lastRow(index, day)),
    is_partial: facts.isPartial,
    mode: facts.isNet ? 'net' : 'gross',
    coverage_pct: facts.coverage === null ? undefined : rounded(100 * facts.coverage),
    ...shared,
    ...ofVersionWithBrokers(dataset, panel),
  };
  return { answer: response, ticker: index, day, listed, brokers: flow.columns.brokers };
}
