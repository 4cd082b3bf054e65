import { requirePeriod } from './period.ts';

/** Simple return over `bars` bars as a fraction: close[i] / close[i - bars] - 1. NaN for the first `bars`. */
export function simpleReturns(close: Float64Array, bars = 1): Float64Array {
  requirePeriod(bars);
  const out = new Float64Array(close.length).fill(NaN);
  for (let i = bars; i < close.length; i++) out[i] = close[i]! / close[i - bars]! - 1;
  return out;
}

/** Log return from bar to bar: ln(close[i] / close[i - 1]). NaN for the first bar. */
export function logReturns(close: Float64Array): Float64Array {
  const out = new Float64Array(close.length).fill(NaN);
  for (let i = 1; i < close.length; i++) out[i] = Math.log(close[i]! / close[i - 1]!);
  return out;
}
