import { relativeMove } from '../price-move.ts';
import { reachesAcross } from './gaps.ts';
import type { Panel } from './panel.ts';
import { firstAtLeast } from './ranges.ts';

/**
 * Net foreign buying of one panel row in IDR: (shares bought - shares sold) × the day's average price
 * (value / volume), because the exchange publishes foreign trades in shares only. 0 on a day without
 * trades; NaN where no source says it, and so is every sum that has it.
 */
export function foreignNetValue(panel: Panel, row: number): number {
  const { foreign_buy, foreign_sell, volume, value } = panel.columns;
  if (volume[row] === 0) return 0;
  return ((foreign_buy[row]! - foreign_sell[row]!) * value[row]!) / volume[row]!;
}

/**
 * Reference price of a row's day, IDR. Where no source says it, it is what it is defined as: the close of the stock's row of the
 * trading day before, restated. NaN without that row, and after a hole, in which anything may have happened.
 */
export function referencePrice(panel: Panel, row: number): number {
  const { previous, close, day, offsets, gaps } = panel.columns;
  if (previous[row]! > 0) return previous[row]!;
  const isFirst = offsets[firstAtLeast(offsets, row)] === row;
  const isNeighbour = !isFirst && day[row - 1] === day[row]! - 1 && !gaps?.includes(day[row]!);
  return isNeighbour ? Math.fround(close[row - 1]! * panel.priceScale(row - 1, row)) : NaN;
}

/** Close of a row against its reference price, percent; null without one. */
export function dayChangePct(panel: Panel, row: number): number | null {
  return orNull(100 * (panel.columns.close[row]! / referencePrice(panel, row) - 1));
}

/** Number of trades of a row; NaN where no source says it. */
export function tradesOf({ columns: { frequency, volume } }: Panel, row: number): number {
  return frequency[row] === 0 && volume[row]! > 0 ? NaN : frequency[row]!;
}

/** Null for NaN, by which columns and sums say that no source says it. */
export function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

/**
 * Sum of `amountOf(row)` over the last `days` exchange days up to `asOfDay`. Days on which the ticker has no row, for example
 * before its listing, count as 0.
 */
export function sumOverDays(
  panel: Panel,
  ticker: number,
  asOfDay: number,
  days: number,
  amountOf: (row: number) => number,
): number {
  const { day } = panel.columns;
  const start = panel.firstRow(ticker);
  let sum = 0;
  for (let row = panel.endRow(ticker, asOfDay) - 1; row >= start && day[row]! > asOfDay - days; row--) {
    sum += amountOf(row);
  }
  return sum;
}

/**
 * Average daily value in IDR over the last `days` exchange days, days without trades included: what can be traded on an
 * ordinary day. Null until the ticker has been listed for that long.
 */
export function averageDailyValue(
  panel: Panel,
  ticker: number,
  asOfDay: number,
  days: number,
): number | null {
  const { day, value } = panel.columns;
  const first = panel.firstRow(ticker);
  const listedLongEnough = panel.endRow(ticker, asOfDay) > first && day[first]! <= asOfDay - days + 1;
  return listedLongEnough ? sumOverDays(panel, ticker, asOfDay, days, (row) => value[row]!) / days : null;
}

/**
 * Price change of `ticker` (index) over the days `firstDay` to `lastDay` (calendar indices, both included), percent: its
 * latest close up to `lastDay` against its latest close before `firstDay`, adjusted for corporate actions in between. Null
 * when the stock was not listed before `firstDay`, or days are missing in between.
 */
export function priceChangePct(
  panel: Panel,
  ticker: number,
  firstDay: number,
  lastDay: number,
): number | null {
  const { close, day } = panel.columns;
  const baseRow = panel.lastRow(ticker, firstDay - 1);
  if (baseRow < 0 || reachesAcross(panel, { firstDay: day[baseRow]!, lastDay })) return null;
  const lastRow = panel.lastRow(ticker, lastDay);
  const base = close[baseRow]! * panel.priceScale(baseRow, lastRow);
  return base > 0 ? 100 * relativeMove(base, close[lastRow]!) : null;
}
