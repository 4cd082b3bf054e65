import { rollingStdDev } from './rolling-std-dev.ts';
import { sma } from './sma.ts';

/** Bands in the unit of the price; `widthPct` = 100 × (upper - lower) / middle. */
export interface Bollinger {
  middle: Float64Array;
  upper: Float64Array;
  lower: Float64Array;
  widthPct: Float64Array;
}

/**
 * Bollinger bands of closes: SMA(period) ± `width` population standard deviations of the same window
 * (Bollinger on Bollinger Bands, 2001). NaN for the first `period - 1` bars.
 */
export function bollinger(close: Float64Array, period = 20, width = 2): Bollinger {
  const middle = sma(close, period);
  const deviation = rollingStdDev(close, period, 0);
  const [upper, lower, widthPct] = [middle.slice(), middle.slice(), middle.slice()];
  for (let i = 0; i < close.length; i++) {
    const reach = width * deviation[i]!;
    upper[i]! += reach;
    lower[i]! -= reach;
    widthPct[i] = (200 * reach) / middle[i]!;
  }
  return { middle, upper, lower, widthPct };
}
