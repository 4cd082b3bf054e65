import { requirePeriod } from './period.ts';

/**
 * Skewness of values[i - period + 1 .. i]: third central moment over the cube of the population standard deviation.
 * A window that never moves is symmetric: 0. NaN for the first `period - 1` values and where the window holds a NaN.
 * O(n × period), each window by itself.
 */
export function rollingSkewness(values: Float64Array, period: number): Float64Array {
  requirePeriod(period);
  const out = new Float64Array(values.length).fill(NaN);
  for (let i = period - 1; i < values.length; i++) {
    const start = i - period + 1;
    const pivot = values[start]!;
    let sum = 0;
    for (let j = start; j <= i; j++) sum += values[j]! - pivot;
    const mean = sum / period;
    let [squares, cubes] = [0, 0];
    for (let j = start; j <= i; j++) {
      const deviation = values[j]! - pivot - mean;
      squares += deviation * deviation;
      cubes += deviation * deviation * deviation;
    }
    const variance = squares / period;
    out[i] = variance > 0 ? cubes / period / (variance * Math.sqrt(variance)) : 0 * variance;
  }
  return out;
}
