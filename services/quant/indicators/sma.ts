import { requirePeriod } from './period.ts';

/**
 * Simple moving average: out[i] = mean of values[i - period + 1 .. i], in the unit of the input.
 *
 * NaN for the first `period - 1` values; a NaN in the input restarts that warm-up. O(n): a running sum,
 * recomputed once a window so that rounding never accumulates beyond one window.
 */
export function sma(values: Float64Array, period: number): Float64Array {
  requirePeriod(period);
  const out = new Float64Array(values.length).fill(NaN);
  let sum = 0;
  let seen = 0;
  let untilRenewal = period;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) {
      [sum, seen, untilRenewal] = [0, 0, period];
      continue;
    }
    seen++;
    sum += value;
    if (seen > period) sum -= values[i - period]!;
    if (--untilRenewal === 0) {
      sum = sumOf(values, i - period + 1, i);
      untilRenewal = period;
    }
    if (seen >= period) out[i] = sum / period;
  }
  return out;
}

function sumOf(values: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i <= to; i++) sum += values[i]!;
  return sum;
}
