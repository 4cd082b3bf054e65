import type { WalkForward } from '#quant/learning/walk-forward/folds.ts';
import { MIN_BARS } from '#quant/universe/candidates.ts';

/** How many trading days learning takes. Definitions of models state it, so this file must stay light to load. */

const FOLDS = 5;
const MAX_FOLD_DAYS = 50;
/** Number of days at most, the newest of a training window, that chances are calibrated on. */
export const CALIBRATION_DAYS = FOLDS * MAX_FOLD_DAYS;
/** Fold length as a share of a short training window, which leaves half of the window for the first fold to learn from. */
const FOLD_SHARE = 0.1;
/** Minimum number of days that the first fold learns from. */
const MIN_FOLD_TRAIN_DAYS = 40;

/** With fewer rows a model would only memorise a few names. */
export const MIN_ROWS = 1_000;

/** The days that a run learns from, whose outcomes are known after a horizon. */
export interface LearningDays {
  trainDays: number;
  horizonDays: number;
}

/** The largest number of rows that so many stocks have on the days that a run of `day` (calendar index) learns from. */
export function mostRows(stocks: number, day: number, { trainDays, horizonDays }: LearningDays): number {
  const known = day + 1 - (MIN_BARS - 1) - horizonDays - EMBARGO_DAYS;
  return stocks * Math.max(0, Math.min(trainDays, known));
}

/** Folds of a model that learns from `trainDays` trading days. */
export function walkForward(trainDays: number, horizonDays: number): WalkForward {
  return {
    folds: FOLDS,
    foldDays: Math.min(MAX_FOLD_DAYS, Math.floor(trainDays * FOLD_SHARE)),
    purgeDays: horizonDays,
    embargoDays: EMBARGO_DAYS,
    leastTrainDays: MIN_FOLD_TRAIN_DAYS,
  };
}

/** The smallest number of trading days from which every fold can learn. */
export function leastTrainDays(horizonDays: number): number {
  return Math.ceil((MIN_FOLD_TRAIN_DAYS + horizonDays + EMBARGO_DAYS) / (1 - FOLDS * FOLD_SHARE));
}

/** Trading days of data needed up to and including the analysed day. */
export function leastDays(horizonDays: number): number {
  return MIN_BARS - 1 + leastTrainDays(horizonDays) + horizonDays + EMBARGO_DAYS;
}

/**
 * Days left out between the training days and the analysed day, in addition to the horizon: neighbouring days share features.
 */
export const EMBARGO_DAYS = 5;
