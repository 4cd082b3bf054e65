import { logReturns } from './returns.ts';
import { rollingStdDev } from './rolling-std-dev.ts';

/** The usual convention for annualising daily figures; IDX itself trades 236 to 247 days a year. */
export const BARS_PER_YEAR = 252;

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
