import type { Panel } from '../panel/panel.ts';
import { tradedSeries } from '../series/traded-series.ts';

/** Lowest low of the last `bars` traded bars of a ticker up to `day` (both indices), IDR in the terms of that day. */
export function swingLow(panel: Panel, ticker: number, day: number, bars: number): number {
  return tradedSeries(panel, ticker, day, bars).low.reduce((lowest, low) => Math.min(lowest, low), Infinity);
}
