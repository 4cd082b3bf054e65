import { smoothed } from './smoothing.ts';

/**
 * Wilder's smoothing, weight 1 / period, seeded with the simple mean of the first `period` values
 * (Wilder, New Concepts in Technical Trading Systems, 1978). NaN for the first `period - 1` values.
 */
export function wilder(values: Float64Array, period: number): Float64Array {
  return smoothed(values, period, 1 / period);
}
