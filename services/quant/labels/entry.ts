import { floorToTick, tickSize } from '../exchange/exchange.ts';
import type { Panel } from '../panel/panel.ts';

/** How far above the close of the analysed day a buyer goes at most, in percent. */
export const ENTRY_SPREAD_PCT = 1;

/**
 * How a position is opened after a day has been analysed.
 *
 * `next_day_limit` is what a reader can do: results come after the close, so a limit order at the close plus
 * {@link ENTRY_SPREAD_PCT} waits through the next day of the exchange. It fills at that day's average price, at the limit
 * where the average lies above it, and not at all where the day's low does or where the stock does not trade.
 *
 * `close` buys at the close that was analysed, one tick higher. Only the evaluation uses it, to show how much that flatters.
 */
export type EntryRule = 'next_day_limit' | 'close';

/**
 * The row on which a position is opened that follows from `row`, by day `lastDay`: -1 where it is not opened, undefined
 * where that is not known yet.
 */
export function entryRow(
  panel: Panel,
  ticker: number,
  row: number,
  { rule, lastDay }: { rule: EntryRule; lastDay: number },
): number | undefined {
  if (rule === 'close') return row;
  const { day, low, volume, offsets } = panel.columns;
  const nextDay = day[row]! + 1;
  if (nextDay > lastDay) return undefined;
  const next = row + 1;
  const trades = next < offsets[ticker + 1]! && day[next] === nextDay && volume[next]! > 0;
  return trades && low[next]! <= limitPrice(panel, row, next) ? next : -1;
}

/** Price a share paid on `entered`, the {@link entryRow} of `row`; IDR of that day, without fees. */
export function entryPrice(panel: Panel, row: number, entered: number): number {
  const { close, low, value, volume } = panel.columns;
  if (entered === row) return close[row]! + tickSize(close[row]!);
  // The exchange rounds values; an average below the low would be a price that no one paid.
  const average = Math.max(low[entered]!, value[entered]! / volume[entered]!);
  return Math.min(limitPrice(panel, row, entered), average);
}

/** The order's limit at the prices of the next day, which a split may have restated. */
function limitPrice(panel: Panel, row: number, next: number): number {
  return floorToTick(panel.columns.close[row]! * (1 + ENTRY_SPREAD_PCT / 100) * panel.priceScale(row, next));
}
