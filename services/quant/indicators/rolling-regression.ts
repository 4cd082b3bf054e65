import { requirePeriod } from './period.ts';

/** Of the straight line through a window of values at times 0, 1, 2 …; both as long as the input. */
export interface RollingRegression {
  /** In the unit of the input, per bar. */
  slope: Float64Array;
  /** Share of the window's variance that the line explains, 0 to 1; 0 for a window of one value throughout. */
  rSquared: Float64Array;
}

/**
 * Least-squares line through values[i - period + 1 .. i] against time (qlib Alpha158, BETA and RSQR). NaN for the first
 * `period - 1` values, where the window holds a NaN, and throughout for a period of 1. O(n × period), each window by
 * itself, so that a value depends on nothing but its window.
 */
export function rollingRegression(values: Float64Array, period: number): RollingRegression {
  requirePeriod(period);
  const slope = new Float64Array(values.length).fill(NaN);
  const rSquared = new Float64Array(values.length).fill(NaN);
  const middle = (period - 1) / 2;
  const timeSquares = (period * (period * period - 1)) / 12;
  if (period === 1) return { slope, rSquared };
  for (let i = period - 1; i < values.length; i++) {
    const start = i - period + 1;
    const pivot = values[start]!;
    let [sum, squares, products] = [0, 0, 0];
    for (let t = 0; t < period; t++) {
      const value = values[start + t]! - pivot;
      sum += value;
      squares += value * value;
      products += (t - middle) * value;
    }
    const variance = squares - (sum * sum) / period;
    slope[i] = products / timeSquares;
    rSquared[i] = variance > 0 ? Math.min(1, (products * products) / (timeSquares * variance)) : 0 * variance;
  }
  return { slope, rSquared };
}
