import type { Panel } from '../panel/panel.ts';
import { tradedSeries, type TradedSeries } from '../panel/traded-series.ts';
import { foreignNetValue, sumOverDays } from '../panel/windows.ts';

/** What the parts of a score are read from, all as of one day. */
export interface TurningView {
  series: TradedSeries;
  lookback: number;
  /** Newest bars in which an event (a heavy day, a crossing, a fresh extreme) still counts. */
  recentBars: number;
  /** Return over `lookback` bars, percent; null where history is shorter. */
  retPct: number | null;
  /** Highest high and lowest low of the last 60 bars, IDR; null where history is shorter. */
  high60: number | null;
  low60: number | null;
  /** Last close against high60, percent, not positive. */
  fromHighPct: number | null;
  /** Over the last `lookback` exchange days, IDR. */
  foreignNetValue: number;
  tradedValue: number;
}

const RANGE_BARS = 60;
/**
 * The longest lookback and the 60 bars before it, led in by so many that Wilder's averages have forgotten where they
 * began: (13/14)^280 is under 1e-9.
 */
const SERIES_BARS = 60 + RANGE_BARS + 280;
/** An event is news for a week; a shorter lookback sees a shorter past. */
const MAX_RECENT_BARS = 5;

export function turningView(panel: Panel, ticker: number, asOfDay: number, lookback: number): TurningView {
  const series = tradedSeries(panel, ticker, asOfDay, SERIES_BARS);
  const range = rangeOf(series);
  const amount = (amountOf: (row: number) => number) =>
    sumOverDays(panel, ticker, asOfDay, lookback, amountOf);
  return {
    series,
    lookback,
    recentBars: Math.min(lookback, MAX_RECENT_BARS),
    retPct: returnPct(series, lookback),
    high60: range?.high ?? null,
    low60: range?.low ?? null,
    fromHighPct: range ? 100 * (series.close.at(-1)! / range.high - 1) : null,
    foreignNetValue: amount((row) => foreignNetValue(panel, row)),
    tradedValue: amount((row) => panel.columns.value[row]!),
  };
}

/** Return over the last `bars` bars, percent; null where there are no more than that many. */
export function returnPct({ close }: TradedSeries, bars: number): number | null {
  const last = close.length - 1;
  return last < bars ? null : 100 * (close[last]! / close[last - bars]! - 1);
}

function rangeOf({ high, low }: TradedSeries): { high: number; low: number } | null {
  if (high.length < RANGE_BARS) return null;
  return { high: Math.max(...high.subarray(-RANGE_BARS)), low: Math.min(...low.subarray(-RANGE_BARS)) };
}
