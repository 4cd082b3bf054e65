import type { Panel } from '../panel/panel.ts';

/**
 * Traded bars of one ticker, ascending, in the terms of its first row: comparable with each other, and each made of
 * nothing later than its own row. Every array but `barOf` has one entry a bar.
 */
export interface CycleBars {
  /** For each row of the ticker, traded or not: the last bar up to it (0 before the first). */
  barOf: Uint16Array;
  /** Calendar index of each bar. */
  day: Uint16Array;
  high: Float64Array;
  low: Float64Array;
  close: Float64Array;
  /** Shares, restated on splits. */
  volume: Float64Array;
}

/** Bars of `ticker` (index) with volume > 0 up to and including `lastDay` (calendar index). */
export function cycleBars(panel: Panel, ticker: number, lastDay: number): CycleBars {
  const { columns } = panel;
  const [from, to] = [panel.firstRow(ticker), panel.endRow(ticker, lastDay)];
  const bars = emptyBars(to - from);
  let count = 0;
  for (let row = from; row < to; row++) {
    if (columns.volume[row]! > 0) {
      const factor = columns.cum_factor[row]!;
      bars.day[count] = columns.day[row]!;
      bars.high[count] = columns.high[row]! / factor;
      bars.low[count] = columns.low[row]! / factor;
      bars.close[count] = columns.close[row]! / factor;
      bars.volume[count] = columns.volume[row]! * columns.cum_share_factor[row]!;
      count++;
    }
    bars.barOf[row - from] = Math.max(0, count - 1);
  }
  return firstBars(bars, count);
}

function emptyBars(rows: number): CycleBars {
  return {
    barOf: new Uint16Array(rows),
    day: new Uint16Array(rows),
    high: new Float64Array(rows),
    low: new Float64Array(rows),
    close: new Float64Array(rows),
    volume: new Float64Array(rows),
  };
}

function firstBars({ barOf, day, high, low, close, volume }: CycleBars, count: number): CycleBars {
  return {
    barOf,
    day: day.subarray(0, count),
    high: high.subarray(0, count),
    low: low.subarray(0, count),
    close: close.subarray(0, count),
    volume: volume.subarray(0, count),
  };
}
