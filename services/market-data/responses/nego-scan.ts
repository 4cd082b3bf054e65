import type {
  NegoStock,
  NegoWindowStock,
  ScanNegoResponse,
  ScanNegoWindowResponse,
} from '#proto/saring/market_data/v1/market_data.ts';
import type { BrokerFlow } from '#quant/broker-rows/broker-flow.ts';
import { negoLeaders } from '#quant/broker-rows/ranking.ts';
import { largestNego, type NegoFound } from '#quant/nego/nego-total.ts';
import { stockReachesAcross } from '#quant/panel/gaps.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { BrokerRowsOfDay } from '../in-memory/older-broker-days.ts';
import { ofVersionWithBrokers, adjustedTo, adjustment, rounded, roundedFraction } from './adjustment.ts';
import { calendarDayWindow, tradingDay } from './trading-day.ts';
import { memberFilter } from './universes.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';

interface Selection {
  min_val: number;
  top_n: number;
  universe?: string | undefined;
}

/**
 * Stocks with the largest negotiated value on one day. `today` is the day in Jakarta.
 * @throws ServiceError data_unavailable, not_found for a day without data or an unknown universe
 */
export async function negoScanOf(
  loaded: LoadedDataset,
  request: Selection & { date: string },
  today: string,
  rowsOfDay: BrokerRowsOfDay,
): Promise<ScanNegoResponse> {
  const { dataset, panel } = loaded;
  const day = tradingDay(panel, request.date, today);
  const flow = await rowsOfDay(loaded, { day, market: 'NEGO' });
  const items = largest(loaded, day, day, request).map((found) => negoStock(panel, flow, day, day, found));
  return {
    date: panel.columns.dates[day]!,
    min_val: request.min_val,
    count: items.length,
    items,
    ...ofVersionWithBrokers(dataset, panel),
  };
}

/**
 * Stocks with the largest negotiated value over the calendar days up to the latest trading day.
 * @throws ServiceError not_found when the dataset begins after `today` or for an unknown universe
 */
export function negoWindowOf(
  loaded: LoadedDataset,
  request: Selection & { days: number },
  today: string,
): ScanNegoWindowResponse {
  const { dataset, panel, brokerFlow } = loaded;
  const { firstDay, lastDay, date_from, date_to } = calendarDayWindow(panel, request.days, today);
  const items = largest(loaded, firstDay, lastDay, request).map((found) =>
    negoWindowStock(panel, brokerFlow, firstDay, lastDay, found),
  );
  return {
    days: request.days,
    date_from,
    date_to,
    trading_days: lastDay + 1 - firstDay,
    min_val: request.min_val,
    count: items.length,
    items,
    ...ofVersionWithBrokers(dataset, panel),
  };
}

function largest(
  loaded: LoadedDataset,
  firstDay: number,
  lastDay: number,
  { min_val, top_n, universe }: Selection,
): NegoFound[] {
  const { panel } = loaded;
  const isScanned = memberFilter(loaded, universe, panel.columns.dates[lastDay]!);
  const asOfDay = adjustedTo(panel);
  return largestNego(panel, { firstDay, lastDay, asOfDay, minValue: min_val, limit: top_n, isScanned });
}

function negoStock(
  panel: Panel,
  flow: BrokerFlow,
  firstDay: number,
  lastDay: number,
  { ticker, total }: NegoFound,
): NegoStock {
  const { columns } = panel;
  const { codes } = flow.columns.brokers;
  const isAcross = stockReachesAcross(panel, ticker, { firstDay, lastDay });
  const { buyer, seller } = negoLeaders(panel, flow, ticker, firstDay, lastDay);
  return {
    ticker: columns.tickers[ticker]!,
    close: adjustment(panel, ticker).close(panel.lastRow(ticker, lastDay)),
    nego_value: total.value,
    nego_volume: Math.round(total.volume),
    nego_avg_price: total.avgPrice === null ? undefined : rounded(total.avgPrice),
    nego_premium: total.premium === null || isAcross ? undefined : roundedFraction(total.premium),
    nego_frequency: total.frequency,
    regular_value: total.regularValue,
    top_buyer: codes[buyer],
    top_seller: codes[seller],
    outlier: total.outlier,
  };
}

function negoWindowStock(
  panel: Panel,
  flow: BrokerFlow,
  firstDay: number,
  lastDay: number,
  found: NegoFound,
): NegoWindowStock {
  const { total } = found;
  return {
    ...negoStock(panel, flow, firstDay, lastDay, found),
    avg_close: total.avgClose === null ? undefined : rounded(total.avgClose),
    days_active: total.daysActive,
    total_value: total.value,
    max_day_value: total.maxDayValue,
    last_date: panel.columns.dates[total.lastDay]!,
  };
}
