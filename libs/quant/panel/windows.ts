import { relativeMove } from '../indicators/rounding.ts';
import type { Panel } from './panel.ts';

/**
 * Net foreign buying of one panel row in IDR: (shares bought - shares sold) × the day's average price
 * (value / volume), because the exchange publishes foreign trades in shares only. 0 on a day without
 * trades.
 */
export function foreignNetValue(panel: Panel, row: number): number {
  const { foreign_buy, foreign_sell, volume, value } = panel.columns;
  if (volume[row] === 0) return 0;
  return ((foreign_buy[row]! - foreign_sell[row]!) * value[row]!) / volume[row]!;
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
 * when the stock was not listed before `firstDay`.
 */
export function priceChangePct(
  panel: Panel,
  ticker: number,
  firstDay: number,
  lastDay: number,
): number | null {
  const { close } = panel.columns;
  const baseRow = panel.lastRow(ticker, firstDay - 1);
  if (baseRow < 0) return null;
  const lastRow = panel.lastRow(ticker, lastDay);
  const base = close[baseRow]! * panel.priceScale(baseRow, lastRow);
  return base > 0 ? 100 * relativeMove(base, close[lastRow]!) : null;
}
