import { requirePeriod } from './period.ts';

/**
 * Standard deviation of values[i - period + 1 .. i], in the unit of the input, with divisor
 * period - `ddof` (0: population, as Bollinger has it; 1: sample).
 *
 * NaN for the first `period - 1` values; a NaN restarts that warm-up; NaN throughout when the divisor
 * is zero. O(n): running sums of deviations from a pivot, renewed once a window, so that large prices
 * with small movements lose no digits.
 */
export function rollingStdDev(values: Float64Array, period: number, ddof: 0 | 1): Float64Array {
  requirePeriod(period);
  const out = new Float64Array(values.length).fill(NaN);
  if (period <= ddof) return out;
  let [pivot, sum, squares, seen] = [0, 0, 0, 0];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) {
      seen = 0;
      continue;
    }
    if (seen === 0) [pivot, sum, squares] = [value, 0, 0];
    seen++;
    sum += value - pivot;
    squares += (value - pivot) * (value - pivot);
    if (seen > period) {
      const leaving = values[i - period]! - pivot;
      sum -= leaving;
      squares -= leaving * leaving;
    }
    if (seen % period === 0) {
      pivot += sum / period;
      [sum, squares] = [0, 0];
      for (let j = i - period + 1; j <= i; j++) {
        const deviation = values[j]! - pivot;
        sum += deviation;
        squares += deviation * deviation;
      }
    }
    if (seen >= period) out[i] = Math.sqrt(Math.max(0, squares - (sum * sum) / period) / (period - ddof));
  }
  return out;
}
