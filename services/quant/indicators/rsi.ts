import { wilder } from './wilder.ts';

/**
 * Wilder's relative strength index of closes, 0..100: 100 - 100 / (1 + average gain / average loss),
 * both averages smoothed by Wilder's method. NaN for the first `period` bars.
 * Where price never moved, gain and loss are both zero and the index says 50: neither side is stronger.
 */
export function rsi(close: Float64Array, period = 14): Float64Array {
  const gain = new Float64Array(close.length).fill(NaN);
  const loss = new Float64Array(close.length).fill(NaN);
  for (let i = 1; i < close.length; i++) {
    const change = close[i]! - close[i - 1]!;
    gain[i] = Math.max(change, 0);
    loss[i] = Math.max(-change, 0);
  }
  const averageGain = wilder(gain, period);
  const averageLoss = wilder(loss, period);
  const index = new Float64Array(close.length);
  for (let i = 0; i < close.length; i++) {
    const total = averageGain[i]! + averageLoss[i]!;
    index[i] = total === 0 ? 50 : (100 * averageGain[i]!) / total;
  }
  return index;
}
