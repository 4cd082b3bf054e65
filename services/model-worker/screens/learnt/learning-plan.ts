import type { BoostingParameters } from '#quant/learning/boosting/parameters.ts';
import type { WalkForward } from '#quant/learning/validation/walk-forward.ts';
import { MIN_BARS } from '#quant/universe/candidates.ts';
import type { LearningWish } from './learnt-market.ts';
import { EMBARGO_DAYS } from './training-set.ts';

/**
 * Chosen on the real market of 2022 to 2024 by the AUC of days not seen: .563 with these, .557 with four levels, .562 with
 * six, .556 with 40 rounds of larger steps.
 */
const BOOSTING: Readonly<BoostingParameters & { patience: number }> = {
  rounds: 60,
  learningRate: 0.07,
  depth: 5,
  lambda: 5,
  gamma: 0,
  minChildWeight: 100,
  subsample: 0.5,
  featureShare: 0.3,
  patience: 30,
  seed: 1,
};

/** 64 of them told days not seen apart no better. */
export const BINNING = { bins: 32 };

/** What a run is trained with. */
export function boostingOf({ parameters }: Pick<LearningWish, 'parameters'>): typeof BOOSTING {
  return { ...BOOSTING, ...parameters, patience: parameters?.patience ?? BOOSTING.patience };
}

const FOLDS = 4;
const LONGEST_FOLD_DAYS = 60;
/** Of a short training window, so that most of it is left for the first fold to learn from. */
const FOLD_SHARE = 0.12;
/** Days the first fold learns from at least. */
const LEAST_FOLD_TRAIN_DAYS = 40;

/** Folds of a model that learns from a stretch of so many trading days. */
export function walkForward(trainDays: number, horizonDays: number): WalkForward {
  return {
    folds: FOLDS,
    foldDays: Math.min(LONGEST_FOLD_DAYS, Math.floor(trainDays * FOLD_SHARE)),
    purgeDays: horizonDays,
    embargoDays: EMBARGO_DAYS,
    leastTrainDays: LEAST_FOLD_TRAIN_DAYS,
  };
}

/** Shortest stretch of trading days from which every fold can learn. */
export function leastTrainDays(horizonDays: number): number {
  return Math.ceil((LEAST_FOLD_TRAIN_DAYS + horizonDays + EMBARGO_DAYS) / (1 - FOLDS * FOLD_SHARE));
}

/** Trading days of data that must lead up to the analysed one, itself included. */
export function leastDays(horizonDays: number): number {
  return MIN_BARS - 1 + leastTrainDays(horizonDays) + horizonDays + EMBARGO_DAYS;
}
