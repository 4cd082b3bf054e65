import type {
  GetNegoResponse,
  NegoDay,
  NegoSummary,
  GetNegoBrokersResponse,
  NegoBroker,
} from '#proto/saring/market_data/v1/market_data.ts';
import { negoTotal } from '#quant/nego/nego-total.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { adjustedAs, adjustedTo, adjustment, rounded, roundedFraction } from './adjustment.ts';
import { requireTicker } from './tickers.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';
import type { BrokerTotal } from '#quant/broker-rows/broker-totals.ts';
import type { FlowBrokers } from '#quant/broker-rows/broker-flow.ts';
import type { BrokerRowsOfDay } from '../in-memory/older-broker-days.ts';
import { brokerFacts, net } from '../broker-responses/broker-figures.ts';
import { brokerDay, type BrokersOfDay } from '../broker-responses/brokers.ts';

/**
 * Negotiated trading of a stock on each of its last `days` trading days, including days without any.
 * @throws ServiceError not_found
 */
export function negoOf(
  { dataset, panel }: LoadedDataset,
  request: { ticker: string; days: number },
): GetNegoResponse {
  const { ticker, index } = requireTicker(panel, request.ticker);
  const lastRow = panel.lastRow(index, panel.dayCount - 1);
  const firstRow = Math.max(panel.firstRow(index), lastRow + 1 - request.days);
  return {
    ticker,
    days: request.days,
    items: Array.from({ length: lastRow + 1 - firstRow }, (_, i) => negoDay(panel, index, firstRow + i)),
    summary: summary(panel, index, firstRow, lastRow),
    dataset_version: dataset.version,
    ...adjustedAs(panel),
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
    nego_value: value,
    nego_volume: Math.round(volume),
    nego_frequency: frequency,
    nego_avg_price: avgPrice === null ? undefined : rounded(avgPrice),
    nego_premium: premium === null ? undefined : roundedFraction(premium),
    nego_to_regular_pct: regularValue > 0 ? rounded((100 * value) / regularValue) : undefined,
    outlier,
  };
}

function summary(panel: Panel, ticker: number, firstRow: number, lastRow: number): NegoSummary {
  const { day } = panel.columns;
  const { value, daysActive, premium } = negoTotal(panel, ticker, day[firstRow]!, day[lastRow]!);
  return {
    total_value: value,
    days_active: daysActive,
    avg_premium: premium === null ? undefined : roundedFraction(premium),
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
    nego_avg_price: avgPrice === null ? undefined : rounded(avgPrice),
    nego_premium: premium === null ? undefined : roundedFraction(premium),
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
