import { ema } from './ema.ts';

/** All three in the unit of the price, as long as the input. */
export interface Macd {
  macd: Float64Array;
  signal: Float64Array;
  histogram: Float64Array;
}

/**
 * Appel's moving average convergence divergence of closes: macd = EMA(fast) - EMA(slow), signal =
 * EMA(signal) of macd, histogram = macd - signal. NaN for the first slow - 1 bars (macd) and
 * slow + signal - 2 bars (the other two).
 */
export function macd(close: Float64Array, fast = 12, slow = 26, signal = 9): Macd {
  const line = difference(ema(close, fast), ema(close, slow));
  const signalLine = ema(line, signal);
  return { macd: line, signal: signalLine, histogram: difference(line, signalLine) };
}

function difference(left: Float64Array, right: Float64Array): Float64Array {
  const out = new Float64Array(left.length);
  for (let i = 0; i < left.length; i++) out[i] = left[i]! - right[i]!;
  return out;
}
