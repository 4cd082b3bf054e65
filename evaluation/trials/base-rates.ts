import { BOOTSTRAP, blockResamples, type Resamples } from '#quant/statistics/block-bootstrap.ts';
import type { TrialDay } from './trial-day.ts';

/** How much the base rate of one week says of later ones, and how far that of a half year is from its mean by chance alone. */
export interface BaseRates {
  mean: number;
  /** By number of weeks between two weeks. */
  autocorrelation: Map<number, number>;
  /** Of the mean of 26 weeks, around the mean of all weeks. */
  halfYear: { standardDeviation: number; shareBeyondBar: number };
}

/** The outcomes of a horizon of 20 days are known after five weeks. */
const LAGS = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12];
const WEEKS_OF_HALF_YEAR = 26;
/** The calibration error that was wished for. */
const BAR = 0.02;

/** @param blockLength consecutive weeks whose outcomes depend on each other */
export function baseRates(days: readonly TrialDay[], blockLength: number): BaseRates {
  const rates = days.map(shareThatWon);
  const mean = meanOf(rates);
  const resamples = blockResamples(rates.length, { ...BOOTSTRAP, blockLength });
  const distances = halfYears(rates, resamples).map((halfYear) => meanOf(halfYear) - mean);
  return {
    mean,
    autocorrelation: new Map(LAGS.map((lag) => [lag, autocorrelation(rates, mean, lag)])),
    halfYear: {
      standardDeviation: Math.sqrt(meanOf(distances.map((distance) => distance ** 2))),
      shareBeyondBar: meanOf(distances.map((distance) => (Math.abs(distance) > BAR ? 1 : 0))),
    },
  };
}

function shareThatWon({ stocks }: TrialDay): number {
  const bought = stocks.filter(({ outcome }) => outcome.filled);
  return meanOf(bought.map(({ outcome }) => (outcome.won ? 1 : 0)));
}

/** The first weeks of each resample of the whole series. */
function halfYears(rates: readonly number[], { drawn }: Resamples): number[][] {
  return drawn.map((weeks) => Array.from(weeks.subarray(0, WEEKS_OF_HALF_YEAR), (week) => rates[week]!));
}

function autocorrelation(rates: readonly number[], mean: number, lag: number): number {
  const pairs = rates.slice(lag).map((rate, i) => (rate - mean) * (rates[i]! - mean));
  return meanOf(pairs) / meanOf(rates.map((rate) => (rate - mean) ** 2));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
