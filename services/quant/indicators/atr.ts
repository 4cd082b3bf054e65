import { wilder } from './wilder.ts';

/**
 * True range, in the unit of the price: the largest of high - low, |high - previous close| and
 * |low - previous close| (Wilder 1978). The first bar has no close before it: high - low.
 */
export function trueRange(high: Float64Array, low: Float64Array, close: Float64Array): Float64Array {
  const range = new Float64Array(high.length);
  for (let i = 0; i < high.length; i++) {
    const before = i === 0 ? high[0]! : close[i - 1]!;
    range[i] = Math.max(high[i]!, before) - Math.min(low[i]!, before);
  }
  return range;
}

/** Average true range, Wilder's smoothing of the true range. NaN for the first `period - 1` bars. */
export function atr(high: Float64Array, low: Float64Array, close: Float64Array, period = 14): Float64Array {
  return wilder(trueRange(high, low, close), period);
}
