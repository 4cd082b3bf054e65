import { rollingMax, rollingMin } from './rolling-extremes.ts';
import { sma } from './sma.ts';

/** Both lines 0..100, as long as the input. */
export interface Stochastic {
  k: Float64Array;
  d: Float64Array;
}

/**
 * Lane's slow stochastic: %K = SMA over `smoothing` of 100 × (close - lowest low) / (highest high -
 * lowest low) of the last `period` bars; %D = SMA of %K over `signal`.
 * NaN for the first period + smoothing - 2 bars (%K), signal - 1 more for %D.
 * A window whose high and low are one price has no position in it and counts as 50.
 */
export function stochastic(
  high: Float64Array,
  low: Float64Array,
  close: Float64Array,
  period = 14,
  smoothing = 3,
  signal = 3,
): Stochastic {
  const highest = rollingMax(high, period);
  const lowest = rollingMin(low, period);
  const position = new Float64Array(close.length);
  for (let i = 0; i < close.length; i++) {
    const range = highest[i]! - lowest[i]!;
    position[i] = range === 0 ? 50 : (100 * (close[i]! - lowest[i]!)) / range;
  }
  const k = sma(position, smoothing);
  return { k, d: sma(k, signal) };
}
