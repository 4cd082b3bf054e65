import { momentsOf, type Moments } from './moments.ts';
import { normalCdf, normalQuantile } from './normal.ts';

/**
 * Sharpe ratios, and what is left of them when luck and the number of attempts are taken into account. All ratios here are of
 * one period of the series (a day, a week). Multiply by the square root of the periods of a year for the usual figure.
 *
 * @module
 */

/** Mean over standard deviation of excess returns (Sharpe 1994); NaN for a series that never varies. */
export function sharpeRatio(excessReturns: ArrayLike<number>): number {
  const { mean, deviation } = momentsOf(excessReturns);
  return deviation > 0 ? mean / deviation : NaN;
}

/** A Sharpe ratio and the shape of the series that it was measured on. */
interface MeasuredSharpe extends Pick<Moments, 'observations' | 'skewness' | 'kurtosis'> {
  sharpe: number;
}

/**
 * Probability that the true Sharpe ratio exceeds `benchmark`, given that of a series with skew and fat tails: the probabilistic
 * Sharpe ratio (Bailey and López de Prado, "The Sharpe Ratio Efficient Frontier", Journal of Risk 15(2), 2012, equation 11):
 *
 *     Φ( (SR − SR*) √(T − 1) / √(1 − γ₃ SR + (γ₄ − 1)/4 SR²) )
 *
 * @returns NaN where the series is too short or never varies
 */
export function probabilisticSharpe(
  { sharpe, observations, skewness, kurtosis }: MeasuredSharpe,
  benchmark = 0,
): number {
  const variance = 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2;
  if (!(variance > 0)) return NaN;
  return normalCdf(((sharpe - benchmark) * Math.sqrt(observations - 1)) / Math.sqrt(variance));
}

const EULER_MASCHERONI = 0.5772156649015329;

/** Attempts at the same thing. */
interface Trials {
  /** How many independent ones. */
  count: number;
  /** Variance of their Sharpe ratios, of one period. */
  variance: number;
}

/**
 * The Sharpe ratio to expect of the best of many attempts of which none is worth anything (Bailey and López de Prado, "The
 * Deflated Sharpe Ratio", Journal of Portfolio Management 40(5), 2014, equation 1, with a mean of 0):
 *
 *     √V ( (1 − γ) Φ⁻¹(1 − 1/N) + γ Φ⁻¹(1 − 1/(N e)) )
 *
 * 0 for a single attempt.
 */
export function expectedBestSharpe({ count, variance }: Trials): number {
  if (count <= 1) return 0;
  const best = normalQuantile(1 - 1 / count);
  const second = normalQuantile(1 - 1 / (count * Math.E));
  return Math.sqrt(variance) * ((1 - EULER_MASCHERONI) * best + EULER_MASCHERONI * second);
}

/**
 * Probability that the true Sharpe ratio of the best of many attempts exceeds 0: {@link probabilisticSharpe} against
 * {@link expectedBestSharpe} (equation 2 of the same paper).
 */
export function deflatedSharpe(best: MeasuredSharpe, trials: Trials): number {
  return probabilisticSharpe(best, expectedBestSharpe(trials));
}
