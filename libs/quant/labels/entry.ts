import { floorToTick, tickSize } from '../exchange/exchange.ts';
import type { Panel } from '../panel/panel.ts';

/** Limit of a buy order above the close of the analysed day, in percent. */
export const ENTRY_SPREAD_PCT = 1;

/**
 * How a position is opened after a day has been analysed.
 *
 * `next_day_limit` is what a reader can do. Results come after the close, so a limit order at the close plus {@link
 * ENTRY_SPREAD_PCT} stands through the next day of the exchange. It fills at that day's average price, or at the limit when
 * the average is above it. It does not fill when the day's low is above the limit or the stock does not trade.
 *
 * `close` buys at the analysed close plus one tick. Only the evaluation uses it, to show how much that rule overstates
 * results.
 */
export type EntryRule = 'next_day_limit' | 'close';

/**
 * The row on which a position after `row` is opened. -1 when it is not opened, undefined when that is not known by the end of
 * day `lastDay`.
 */
export function entryRow(
  panel: Panel,
  ticker: number,
  row: number,
  { rule, lastDay }: { rule: EntryRule; lastDay: number },
): number | undefined {
  if (rule === 'close') return row;
  const { day, offsets } = panel.columns;
  const nextDay = day[row]! + 1;
  if (nextDay > lastDay) return undefined;
  const next = row + 1;
  const hasNext = next < offsets[ticker + 1]! && day[next] === nextDay;
  return hasNext && isFilled(panel, next, limitPrice(panel, row, next)) ? next : -1;
}

/** Whether an order with this limit is filled on a row. */
export function isFilled({ columns: { low, volume } }: Panel, row: number, limit: number): boolean {
  return volume[row]! > 0 && low[row]! <= limit;
}

/** What an order with this limit pays for a share on a row that fills it, IDR. */
export function filledPrice(panel: Panel, row: number, limit: number): number {
  return Math.min(limit, averagePrice(panel, row));
}

/** Price paid for a share on `entered`, the {@link entryRow} of `row`; IDR of that day, without fees. */
export function entryPrice(panel: Panel, row: number, entered: number): number {
  const { close } = panel.columns;
  if (entered === row) return close[row]! + tickSize(close[row]!, dateOf(panel, row));
  return filledPrice(panel, entered, limitPrice(panel, row, entered));
}

/** Average price of a row with volume, IDR. The exchange rounds values: without the bound it could be below any price paid. */
export function averagePrice({ columns: { low, value, volume } }: Panel, row: number): number {
  return Math.max(low[row]!, value[row]! / volume[row]!);
}

export const dateOf = ({ columns: { dates, day } }: Panel, row: number): string => dates[day[row]!]!;

/** The order's limit, adjusted to the prices of the next day, which a split may have restated. */
export function limitPrice(panel: Panel, row: number, next: number): number {
  const limit = panel.columns.close[row]! * (1 + ENTRY_SPREAD_PCT / 100) * panel.priceScale(row, next);
  return floorToTick(limit, dateOf(panel, next));
}
