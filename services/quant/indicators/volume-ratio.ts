import { sma } from './sma.ts';

/**
 * Volume as a multiple of its own average over the last `period` bars, the bar itself included (as the
 * volume average is drawn on charts). NaN for the first `period - 1` bars. Never above `period`.
 */
export function volumeRatio(volume: Float64Array, period: number): Float64Array {
  const average = sma(volume, period);
  for (let i = 0; i < volume.length; i++) average[i] = volume[i]! / average[i]!;
  return average;
}
