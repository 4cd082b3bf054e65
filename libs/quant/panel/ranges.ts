/** Consecutive rows: `from` inclusive, `to` exclusive. */
export interface RowRange {
  from: number;
  to: number;
}

/** Consecutive days: calendar indices of a panel, both included. Empty when `lastDay` is below `firstDay`. */
export interface DaySpan {
  firstDay: number;
  lastDay: number;
}

/**
 * Index of the first of ascending values that is at least `least`, searching from `from` (inclusive) to `to` (exclusive);
 * `to` when there is none.
 */
export function firstAtLeast(
  ascending: ArrayLike<number>,
  least: number,
  from = 0,
  to = ascending.length,
): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
