import { requirePeriod } from './rolling.ts';

/**
 * Simple moving average: out[i] = mean of values[i - period + 1 .. i], in the unit of the input.
 *
 * NaN for the first `period - 1` values and for windows with a NaN. O(n), and nothing is ever subtracted: a running sum would keep a
 * residue of values that have left the window, which is all there is where those that follow are 0. A window spans the end of one
 * block of `period` values and the beginning of the next, and is the sum of the two.
 */
export function sma(values: Float64Array, period: number): Float64Array {
  requirePeriod(period);
  const { length } = values;
  const out = new Float64Array(length);
  const endOfBlockBefore = new Float64Array(period + 1).fill(NaN);
  endOfBlockBefore[period] = 0;
  for (let start = 0; start < length; start += period) {
    const end = Math.min(start + period, length);
    let sum = 0;
    for (let i = start; i < end; i++) {
      sum += values[i]!;
      out[i] = (endOfBlockBefore[i - start + 1]! + sum) / period;
    }
    sum = 0;
    for (let i = end - 1; i >= start; i--) {
      sum += values[i]!;
      endOfBlockBefore[i - start] = sum;
    }
  }
  return out;
}

/**
 * Exponential moving average with weight 2 / (period + 1), seeded with the simple mean of the first
 * `period` values (the convention of StockCharts, TA-Lib and TradingView). Unit of the input; NaN for
 * the first `period - 1` values.
 */
export function ema(values: Float64Array, period: number): Float64Array {
  return smoothed(values, period, 2 / (period + 1));
}

/**
 * Wilder's smoothing, weight 1 / period, seeded with the simple mean of the first `period` values
 * (Wilder, New Concepts in Technical Trading Systems, 1978). NaN for the first `period - 1` values.
 */
export function wilder(values: Float64Array, period: number): Float64Array {
  return smoothed(values, period, 1 / period);
}

/**
 * Exponential smoothing seeded with the mean of the first `period` values:
 * out[i] = out[i - 1] + weight × (values[i] - out[i - 1]).
 *
 * NaN for the first `period - 1` values; a NaN in the input restarts that warm-up. O(n).
 */
function smoothed(values: Float64Array, period: number, weight: number): Float64Array {
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

/**
 * Volume as a multiple of its own average over the last `period` bars, the bar itself included (as the
 * volume average is drawn on charts). NaN for the first `period - 1` bars. Never above `period`.
 */
export function volumeRatio(volume: Float64Array, period: number): Float64Array {
  const average = sma(volume, period);
  for (let i = 0; i < volume.length; i++) average[i] = volume[i]! / average[i]!;
  return average;
}
