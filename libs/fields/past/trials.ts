import { overfittingProbability } from '#quant/performance/backtest-overfitting.ts';
import { TRADING_DAYS_OF_A_YEAR } from '#quant/performance/equity.ts';
import { momentsOf } from '#quant/performance/moments.ts';
import {
  deflatedSharpe,
  expectedBestSharpe,
  probabilisticSharpe,
  sharpeRatio,
} from '#quant/performance/sharpe.ts';

/** What a screen came to, period by period. */
export interface Trial {
  /** Trading days of a period. */
  periodDays: number;
  /** What its picks returned more than all liquid stocks in each period, as fractions. */
  excess: readonly number[];
}

/** A Sharpe ratio in the light of everything else that was tried. Ratios are of a year; undefined where a series never varies. */
interface TrialFigures {
  /** Distinct trials, this one included. */
  count: number;
  sharpe: number | undefined;
  /** The best ratio to expect of so many trials that are worth nothing. */
  expectedBestSharpe: number;
  /** Probability that the true ratio is above 0, if this had been the only trial. */
  probabilisticSharpe: number | undefined;
  /** The same for the best of all trials. */
  deflatedSharpe: number | undefined;
  /** Probability that the best of the trials is an accident; undefined for fewer than ten on these very periods. */
  overfitting: number | undefined;
}

/**
 * Sharpe ratios of the excess over all liquid stocks, by periods as long as positions are held, since outcomes of neighbouring days
 * overlap and are no observations of their own.
 *
 * @param others every other trial on days that overlap with these
 * @param onSamePeriods those of them with the same periods
 */
export function trialFigures(
  { excess, periodDays }: Trial,
  others: readonly Trial[],
  onSamePeriods: readonly Trial[],
): TrialFigures {
  const perYear = Math.sqrt(TRADING_DAYS_OF_A_YEAR / periodDays);
  const measured = { sharpe: sharpeRatio(excess), ...momentsOf(excess) };
  const ofYear = (trial: Trial) =>
    sharpeRatio(trial.excess) * Math.sqrt(TRADING_DAYS_OF_A_YEAR / trial.periodDays);
  const ratios = [measured.sharpe * perYear, ...others.map(ofYear)].filter((ratio) => !Number.isNaN(ratio));
  const variance = ratios.length > 1 ? momentsOf(ratios).deviation ** 2 : 0;
  const ofPeriod = { count: others.length + 1, variance: variance / perYear ** 2 };
  return {
    count: others.length + 1,
    sharpe: defined(measured.sharpe * perYear),
    expectedBestSharpe: expectedBestSharpe({ count: others.length + 1, variance }),
    probabilisticSharpe: defined(probabilisticSharpe(measured)),
    deflatedSharpe: defined(deflatedSharpe(measured, ofPeriod)),
    overfitting: overfittingProbability([excess, ...onSamePeriods.map((trial) => trial.excess)]),
  };
}

function defined(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}
