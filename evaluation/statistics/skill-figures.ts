import { brierScore, logLoss } from '#quant/learning/validation/scoring.ts';
import { estimate, type Estimate, type Resamples } from '#quant/statistics/block-bootstrap.ts';
import { ratio } from '#quant/statistics/pick-figures.ts';

/** Forecasts over classes made on one day, with the outcomes. */
export interface ClassWeek {
  /** For each name, the probability of each class. The probabilities of a name add up to 1. */
  forecasts: readonly (readonly number[])[];
  /** The class that occurred, one per name. */
  came: readonly number[];
  /** How often each class had occurred before that day: the forecast without any knowledge of the name. */
  climatology: readonly number[];
}

export interface SkillFigures {
  weeks: number;
  forecasts: number;
  /** Frequency of each class. */
  came: number[];
  log_loss: number | null;
  /** For the climatology known on each day. */
  climatology_log_loss: number | null;
  /** Over all classes, 0 to 2. */
  brier: number | null;
  climatology_brier: number | null;
  /** 1 - `brier` / `climatology_brier`: above 0 if the forecasts are better than the climatology. */
  skill: Estimate;
  /** The same relative to the class frequencies of these very weeks, which no forecaster could have known. */
  skill_against_hindsight: number | null;
}

const SUM = { forecasts: 0, brier: 1, climatology: 2 } as const;

/** Scores of the weeks that `belongs` selects. */
export function skillFigures<Week extends ClassWeek>(
  weeks: readonly Week[],
  resamples: Resamples,
  belongs: (week: Week) => boolean = () => true,
): SkillFigures {
  const rows = weeks.map((week) => (belongs(week) ? sumsOf(week) : undefined));
  const counted = weeks.filter(belongs);
  const came = frequencies(counted);
  const [forecast, known, hindsight] = [tellings(counted), climatologies(counted), always(counted, came)];
  const defined = (score: number) => (Number.isNaN(score) ? null : score);
  return {
    weeks: counted.length,
    forecasts: forecast.labels.length,
    came,
    log_loss: defined(logLoss(forecast)),
    climatology_log_loss: defined(logLoss(known)),
    brier: defined(brierScore(forecast)),
    climatology_brier: defined(brierScore(known)),
    skill: estimate(rows, resamples, (sums) => skillOf(sums[SUM.brier]!, sums[SUM.climatology]!)),
    skill_against_hindsight: skillOf(brierScore(forecast), brierScore(hindsight)),
  };
}

/** Brier skill score (Murphy 1973) from scores or from sums of them; null without forecasts. */
export function skillOf(brier: number, reference: number): number | null {
  const share = ratio(brier, reference);
  return share === null || Number.isNaN(share) ? null : 1 - share;
}

function sumsOf(week: ClassWeek): Float64Array {
  const count = week.came.length;
  if (count === 0) return new Float64Array(3);
  return Float64Array.of(
    count,
    count * brierScore(tellings([week])),
    count * brierScore(climatologies([week])),
  );
}

function tellings(weeks: readonly ClassWeek[]) {
  return scored(weeks, ({ forecasts }) => forecasts);
}

function climatologies(weeks: readonly ClassWeek[]) {
  return scored(weeks, ({ came, climatology }) => came.map(() => climatology));
}

function always(weeks: readonly ClassWeek[], frequency: readonly number[]) {
  return scored(weeks, ({ came }) => came.map(() => frequency));
}

function scored(
  weeks: readonly ClassWeek[],
  forecastsOf: (week: ClassWeek) => readonly (readonly number[])[],
) {
  return {
    probabilities: weeks.flatMap((week) => forecastsOf(week).flat()),
    scores: classesOf(weeks),
    labels: weeks.flatMap(({ came }) => came),
  };
}

function classesOf(weeks: readonly ClassWeek[]): number {
  return weeks[0]?.climatology.length ?? 0;
}

function frequencies(weeks: readonly ClassWeek[]): number[] {
  const counts = new Array<number>(classesOf(weeks)).fill(0);
  const labels = weeks.flatMap(({ came }) => came);
  for (const label of labels) counts[label]!++;
  return counts.map((count) => count / labels.length);
}
