import type {
  GetNegoResponse,
  NegoDay,
  NegoSummary,
  GetNegoBrokersResponse,
  NegoBroker,
} from '#proto/saring/market_data/v1/market_data.ts';
import { negoTotal } from '#quant/nego/nego-total.ts';
import { stockReachesAcross } from '#quant/panel/gaps.ts';
import type { Panel } from '#quant/panel/panel.ts';
import {
  ofVersion,
  adjustedTo,
  adjustment,
  known,
  rounded,
  roundedFraction,
} from '../responses/adjustment.ts';
import { judgedDay } from '../responses/trading-day.ts';
import { requireTicker } from '../responses/tickers.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';
import type { BrokerTotal } from '#quant/broker-rows/broker-totals.ts';
import type { FlowBrokers } from '#quant/broker-rows/broker-flow.ts';
import type { BrokerRowsOfDay } from '../in-memory/older-broker-days.ts';
import { brokerFacts, net } from './broker-figures.ts';
import { brokerDay, type BrokersOfDay } from './brokers.ts';

/**
 * Negotiated trading of a stock on each of its last `days` trading days, including days without any.
 * @throws ServiceError not_found
 */
export function negoOf(
  { dataset, panel }: LoadedDataset,
  request: { ticker: string; days: number },
): GetNegoResponse {
  const { ticker, index } = requireTicker(panel, request.ticker);
  const lastRow = panel.lastRow(index, judgedDay(panel, index));
  const firstRow = Math.max(panel.firstRow(index), lastRow + 1 - request.days);
  return {
    ticker,
    days: request.days,
    items: Array.from({ length: lastRow + 1 - firstRow }, (_, i) => negoDay(panel, index, firstRow + i)),
    summary: summary(panel, index, firstRow, lastRow),
    ...ofVersion(dataset, panel),
  };
}

function negoDay(panel: Panel, ticker: number, row: number): NegoDay {
  const { columns } = panel;
  const day = columns.day[row]!;
  const { value, volume, frequency, avgPrice, premium, outlier, regularValue } = negoTotal(
    panel,
    ticker,
    day,
    day,
    adjustedTo(panel),
  );
  return {
    date: columns.dates[day]!,
    close: adjustment(panel, ticker).close(row),
    nego_value: known(value),
    nego_volume: known(volume, Math.round),
    nego_frequency: known(frequency),
    nego_avg_price: known(avgPrice, rounded),
    nego_premium: known(premium, roundedFraction),
    nego_to_regular_pct: regularValue > 0 ? known((100 * value) / regularValue, rounded) : undefined,
    outlier,
  };
}

function summary(panel: Panel, ticker: number, firstRow: number, lastRow: number): NegoSummary {
  const { day } = panel.columns;
  const span = { firstDay: day[firstRow]!, lastDay: day[lastRow]! };
  const { value, daysActive, premium } = negoTotal(panel, ticker, span.firstDay, span.lastDay);
  return {
    total_value: known(value),
    days_active: known(daysActive),
    avg_premium: stockReachesAcross(panel, ticker, span) ? undefined : known(premium, roundedFraction),
  };
}

/**
 * The buyers and sellers in a stock's negotiated trades of one day. `today` is the day in Jakarta.
 * @throws ServiceError data_unavailable, not_found for an unknown ticker or a day without rows
 */
export async function negoBrokersOf(
  loaded: LoadedDataset,
  request: Omit<BrokersOfDay, 'market'>,
  today: string,
  rowsOfDay: BrokerRowsOfDay,
): Promise<GetNegoBrokersResponse> {
  const found = await brokerDay(loaded, { ...request, market: 'NEGO' }, today, rowsOfDay);
  const { answer: response, ticker, day, listed, brokers } = found;
  const { panel } = loaded;
  const { avgPrice, premium } = negoTotal(panel, ticker, day, day, adjustedTo(panel));
  return {
    ...response,
    nego_avg_price: known(avgPrice, rounded),
    nego_premium: known(premium, roundedFraction),
    brokers: listed.map((total) => negoBroker(brokers, total)),
  };
}

function negoBroker(brokers: FlowBrokers, total: BrokerTotal): NegoBroker {
  const { net_value } = net(total);
  return {
    ...brokerFacts(brokers, total.broker),
    buy_shares: Math.round(total.buyShares),
    buy_value: total.buyValue,
    sell_shares: Math.round(total.sellShares),
    sell_value: total.sellValue,
    crossed_value: Math.min(total.buyValue, total.sellValue),
    net_value,
  };
}
