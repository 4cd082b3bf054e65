import { lowerLimit, priceLimits, REGULAR_FLOOR_IDR, tickBelow } from '../exchange/exchange.ts';
import { stopToTick, targetToTick } from './price-levels.ts';
import type { Panel } from '../panel/panel.ts';
import { referencePrice } from '../panel/windows.ts';
import { averagePrice, dateOf, entryPrice } from './entry.ts';

/** A position: the analysed row and the row on which it was opened. */
export interface Position {
  ticker: number;
  row: number;
  entered: number;
}

/** Where a position ends. */
export interface Levels {
  /** Prices of the barriers, IDR of the analysed day. */
  target: number;
  stop: number;
  /** Calendar index. */
  endOfHorizon: number;
}

/** How a position ends: on which row a barrier is reached, or the last traded row of the horizon. */
export interface End {
  row: number;
  reached: 'target' | 'stop' | 'horizon';
}

/**
 * The row on which a position that has ended is sold: that of its end or, for want of trades or bids, a later one up to `lastDay`.
 * Undefined if there is none.
 */
export function saleRow(
  panel: Panel,
  { ticker }: Position,
  { row, reached }: End,
  { endOfHorizon }: Levels,
  lastDay: number,
): number | undefined {
  if (reached === 'target') return row;
  const { day, volume, offsets } = panel.columns;
  // A stock that does not trade on the last day of the horizon is held until it does.
  const first = reached === 'stop' ? row : panel.endRow(ticker, endOfHorizon - 1);
  for (let at = first; at < offsets[ticker + 1]! && day[at]! <= lastDay; at++)
    if (volume[at] !== 0 && hadBids(panel, at)) return at;
  return undefined;
}

/** What a share fetches on `row`, the {@link saleRow} of a position; IDR of its day. */
export function salePrice(panel: Panel, position: Position, end: End, levels: Levels, row: number): number {
  const price = barrierPrice(panel, position, end, levels, row);
  const hadBidsAllDay = row === end.row && endedWithBid(panel, row);
  return end.reached === 'target' || hadBidsAllDay ? price : Math.min(price, averagePrice(panel, row));
}

/** What a share fetches on a row with bids all day, IDR of its day. */
export function barrierPrice(
  panel: Panel,
  { row: analysed, entered }: Position,
  end: End,
  { target, stop }: Levels,
  row: number,
): number {
  const { high, close } = panel.columns;
  const scale = panel.priceScale(row, analysed);
  if (end.reached === 'target') return targetPrice(panel, row, target / scale);
  if (end.reached === 'horizon') return row > end.row ? high[row]! : atOnce(panel, row, close[row]!);
  // Bought and stopped on the same day: sold below the price paid, since the purchase came first.
  const most = row === entered ? atOnce(panel, row, entryPrice(panel, analysed, entered)) : high[row]!;
  return Math.min(atOnce(panel, row, stopToTick(stop / scale, dateOf(panel, row))), most);
}

/** An order at the target fills there, or at the open of a day that stayed above it. Where the open is not known, it was the low. */
function targetPrice(panel: Panel, row: number, target: number): number {
  const { open, low } = panel.columns;
  const order = targetToTick(target, dateOf(panel, row));
  if (low[row]! <= order) return order;
  return isOpenStated(panel, row) ? open[row]! : low[row]!;
}

/**
 * Whether the source has the open of a row. The importer replaces an absent one, of 92 of 100 bars of the exchange, by the reference
 * price within the day's range; an open that this would give counts as absent too.
 */
function isOpenStated({ columns: { open, high, low, close, previous } }: Panel, row: number): boolean {
  const reference = previous[row]! > 0 ? previous[row]! : close[row]!;
  return open[row] !== Math.max(low[row]!, Math.min(high[row]!, reference));
}

/** The price of an order that must be filled at once: a tick below what was paid last, but none that the limit of the day forbids. */
function atOnce(panel: Panel, row: number, paid: number): number {
  const below = tickBelow(paid, dateOf(panel, row));
  const lowest = panel.columns.low[row]!;
  return isLowerLimit(panel, row, lowest) ? Math.max(below, lowest) : below;
}

/** Whether somebody bid on a row that traded. Over a range of prices somebody did; at a single one, its end tells. */
export function hadBids(panel: Panel, row: number): boolean {
  const { high, low } = panel.columns;
  return high[row]! > low[row]! || endedWithBid(panel, row);
}

/**
 * Whether somebody still bid at the end of a row that traded, as the source says. Where it does not, nobody did at a lower limit. That
 * errs: of the days since {@link SPECIAL_LIMITS_SINCE} that closed at the special limit, and at no regular one, 13 % of those with a
 * single price and 47 % of the others had a bid; of those at the regular limit 1 % and 32 %.
 */
function endedWithBid(panel: Panel, row: number): boolean {
  const { bid, close } = panel.columns;
  return Number.isNaN(bid[row]!) ? !isLowerLimit(panel, row, close[row]!) : bid[row]! > 0;
}

/** Before, hardly any stock that ended at the special limit and above the regular one was locked there: 7 of 274. */
const SPECIAL_LIMITS_SINCE = '2023-06-12';

/** Whether nothing below a price may be paid; false without a reference price. Bars do not say on which board a stock trades, so the limit of either counts. */
function isLowerLimit(panel: Panel, row: number, price: number): boolean {
  const reference = referencePrice(panel, row);
  const date = dateOf(panel, row);
  const special = priceLimits(reference, date, 'special').lower;
  if (reference < REGULAR_FLOOR_IDR) return price <= special;
  return price <= lowerLimit(reference, date) || (date >= SPECIAL_LIMITS_SINCE && price === special);
}
