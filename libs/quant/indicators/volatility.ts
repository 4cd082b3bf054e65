import { wilder, sma } from './moving-averages.ts';
import { requirePeriod, rollingStdDev } from './rolling.ts';
import { priceMove, relativeMove } from '../price-move.ts';

/** Simple return over `bars` bars as a fraction: close[i] / close[i - bars] - 1, exactly 0 for the same price. NaN for the first `bars`. */
export function simpleReturns(close: Float64Array, bars = 1): Float64Array {
  requirePeriod(bars);
  const out = new Float64Array(close.length).fill(NaN);
  for (let i = bars; i < close.length; i++) out[i] = relativeMove(close[i - bars]!, close[i]!);
  return out;
}

/** Log return from bar to bar: ln(close[i] / close[i - 1]), exactly 0 for the same price. NaN for the first bar. */
export function logReturns(close: Float64Array): Float64Array {
  const out = new Float64Array(close.length).fill(NaN);
  for (let i = 1; i < close.length; i++) {
    const [before, now] = [close[i - 1]!, close[i]!];
    out[i] = relativeMove(before, now) === 0 ? 0 : Math.log(now / before);
  }
  return out;
}

/** The usual convention for annualising daily figures; IDX itself trades 236 to 247 days a year. */
const BARS_PER_YEAR = 252;

/**
 * Historical volatility of closes as a fraction a year: sample standard deviation of the last `period`
 * daily log returns × √252 (Hull, Options, Futures, and Other Derivatives, ch. 15). NaN for the first
 * `period` bars.
 */
export function annualVolatility(close: Float64Array, period = 20): Float64Array {
  const deviation = rollingStdDev(logReturns(close), period, 1);
  for (let i = 0; i < deviation.length; i++) deviation[i]! *= Math.sqrt(BARS_PER_YEAR);
  return deviation;
}

/**
 * True range, in the unit of the price: the largest of high - low, |high - previous close| and |low - previous close| (Wilder
 * 1978). The first bar has no previous close; its range is high - low.
 */
function trueRange(high: Float64Array, low: Float64Array, close: Float64Array): Float64Array {
  const range = new Float64Array(high.length);
  for (let i = 0; i < high.length; i++) {
    const before = i === 0 ? high[0]! : close[i - 1]!;
    range[i] = priceMove(Math.min(low[i]!, before), Math.max(high[i]!, before));
  }
  return range;
}

/** Average true range, Wilder's smoothing of the true range. NaN for the first `period - 1` bars. */
export function atr(high: Float64Array, low: Float64Array, close: Float64Array, period = 14): Float64Array {
  return wilder(trueRange(high, low, close), period);
}

/** Bands in the unit of the price; `widthPct` = 100 × (upper - lower) / middle. */
interface Bollinger {
  middle: Float64Array;
  upper: Float64Array;
  lower: Float64Array;
  widthPct: Float64Array;
}

/**
 * Bollinger bands of closes: SMA(20) ± 2 population standard deviations of the same window (Bollinger on Bollinger Bands, 2001).
 * NaN for the first 19 bars.
 */
export function bollinger(close: Float64Array): Bollinger {
  const middle = sma(close, 20);
  const deviation = rollingStdDev(close, 20, 0);
  const [upper, lower, widthPct] = [middle.slice(), middle.slice(), middle.slice()];
  for (let i = 0; i < close.length; i++) {
    const reach = 2 * deviation[i]!;
    upper[i]! += reach;
    lower[i]! -= reach;
    widthPct[i] = (200 * reach) / middle[i]!;
  }
  return { middle, upper, lower, widthPct };
}
