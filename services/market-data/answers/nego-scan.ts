import type {
  NegoStock,
  NegoWindowStock,
  ScanNegoResponse,
  ScanNegoWindowResponse,
} from '#proto/saring/market_data/v1/market_data.ts';
import type { BrokerFlow } from '#quant/broker-flow/broker-flow.ts';
import { negoLeaders } from '#quant/broker-flow/nego-leaders.ts';
import { largestNego, type NegoFound } from '#quant/nego/largest-nego.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { LoadedDataset } from '../in-memory/dataset-in-use.ts';
import type { BrokerRowsOfDay } from '../in-memory/older-broker-days.ts';
import { requireWithin } from './bounds.ts';
import { rounded, roundedFraction } from './rounding.ts';
import { calendarDayWindow, MAX_WINDOW_DAYS, tradingDay } from './trading-day.ts';

const MAX_STOCKS = 100;

interface Selection {
  min_val: number;
  top_n: number;
}

/**
 * Stocks with the largest negotiated value on one day. `today` is the day in Jakarta.
 * @throws ServiceError invalid_request, data_unavailable, not_found for a day without data
 */
export async function negoScanOf(
  loaded: LoadedDataset,
  wanted: Selection & { date: string },
  today: string,
  rowsOfDay: BrokerRowsOfDay,
): Promise<ScanNegoResponse> {
  requireSelection(wanted);
  const { dataset, panel } = loaded;
  const day = tradingDay(panel, wanted.date, today);
  const flow = await rowsOfDay(loaded, { day, market: 'NEGO' });
  return {
    date: panel.columns.dates[day]!,
    min_val: wanted.min_val,
    items: largest(panel, day, day, wanted).map((found) => negoStock(panel, flow, day, day, found)),
    dataset_version: dataset.version,
    broker_data: dataset.broker_data,
  };
}

/**
 * Stocks with the largest negotiated value over the calendar days up to the latest trading day.
 * @throws ServiceError invalid_request, not_found when the dataset begins after `today`
 */
export function negoWindowOf(
  { dataset, panel, brokerFlow }: LoadedDataset,
  wanted: Selection & { days: number },
  today: string,
): ScanNegoWindowResponse {
  requireWithin('days', wanted.days, 1, MAX_WINDOW_DAYS);
  requireSelection(wanted);
  const { firstDay, lastDay, date_from, date_to } = calendarDayWindow(panel, wanted.days, today);
  return {
    ...{ days: wanted.days, date_from, date_to },
    trading_days: lastDay + 1 - firstDay,
    min_val: wanted.min_val,
    items: largest(panel, firstDay, lastDay, wanted).map((found) =>
      negoWindowStock(panel, brokerFlow, firstDay, lastDay, found),
    ),
    dataset_version: dataset.version,
    broker_data: dataset.broker_data,
  };
}

function requireSelection({ min_val, top_n }: Selection): void {
  requireWithin('min_val', min_val, 0);
  requireWithin('top_n', top_n, 1, MAX_STOCKS);
}

function largest(
  panel: Panel,
  firstDay: number,
  lastDay: number,
  { min_val, top_n }: Selection,
): NegoFound[] {
  return largestNego(panel, { firstDay, lastDay, minValue: min_val, limit: top_n });
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
  const { buyer, seller } = negoLeaders(panel, flow, ticker, firstDay, lastDay);
  return {
    ticker: columns.tickers[ticker]!,
    close: columns.close[panel.lastRow(ticker, lastDay)]!,
    nego_value: total.value,
    nego_volume: Math.round(total.volume),
    nego_avg_price: total.avgPrice === null ? undefined : rounded(total.avgPrice),
    nego_premium: total.premium === null ? undefined : roundedFraction(total.premium),
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
