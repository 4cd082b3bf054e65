import { requirePeriod } from './period.ts';

/**
 * Exponential smoothing seeded with the mean of the first `period` values:
 * out[i] = out[i - 1] + weight × (values[i] - out[i - 1]).
 *
 * NaN for the first `period - 1` values; a NaN in the input restarts that warm-up. O(n).
 */
export function smoothed(values: Float64Array, period: number, weight: number): Float64Array {
  requirePeriod(period);
  const out = new Float64Array(values.length).fill(NaN);
  let state = 0;
  let seen = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) {
      seen = 0;
      continue;
    }
    seen++;
    if (seen <= period) state = seen === 1 ? value : state + value;
    if (seen === period) state /= period;
    if (seen > period) state += weight * (value - state);
    if (seen >= period) out[i] = state;
  }
  return out;
}
