import { smoothed } from './smoothing.ts';

/**
 * Exponential moving average with weight 2 / (period + 1), seeded with the simple mean of the first
 * `period` values (the convention of StockCharts, TA-Lib and TradingView). Unit of the input; NaN for
 * the first `period - 1` values.
 */
export function ema(values: Float64Array, period: number): Float64Array {
  return smoothed(values, period, 2 / (period + 1));
}
