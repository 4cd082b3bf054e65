import type { RowWindows } from './row-windows.ts';

/** A figure of a stock-day made of gross broker rows; what a model sees of it is its rank among the names of the day. */
export interface GrossFeature {
  /** snake_case; a number is a window in exchange days, `flow` the run's own. */
  name: string;
  /** In the words of {@link MEASURES}, those of a window weighed by turnover. */
  formula: string;
  /** Made of the row's day and those before it, at most {@link LOOKBACK_DAYS}; NaN where it is not defined. */
  of: (windows: RowWindows) => number;
}

/** The row's day is the last of so many that any feature may read: two of the longest windows, and what is usual. */
export const LOOKBACK_DAYS = 65;
