import type { RowRange } from '#quant/panel/ranges.ts';
import type {
  BoostingParameters,
  BinningOptions,
  Trainer,
  Training,
  TrainingTask,
} from '../boosting/trainer.ts';
import { shifted, type Calibration } from '../calibration/calibration.ts';
import type { FeatureMatrix } from '../feature-matrix.ts';
import { treeCount, type TreeEnsemble } from '../tree-ensemble.ts';
import { walkForwardFolds, type WalkForward, type Fold } from './folds.ts';
import {
  FoldCalibrations,
  prequential,
  withMeanOne,
  type FoldForecasts,
  type ScoredFold,
} from './fold-calibrations.ts';

/** What to learn from all rows of a matrix, and how to measure the result. */
export interface LearningTask {
  /** Rows in order of their days. */
  matrix: FeatureMatrix;
  /** 2 for the probability of label 1, 3 or more for a probability of each label. */
  classes: number;
  /** One for each row: 0 to `classes` - 1. */
  labels: Uint8Array;
  /** One for each row, not negative; only ratios matter. */
  weights: Float64Array;
  /** One for each row: index of its trading day. */
  days: ArrayLike<number>;
  walkForward: WalkForward;
  /** `rounds` is the maximum; `patience` applies only to the first fold. */
  parameters: Partial<BoostingParameters> & { patience: number };
  binning?: Omit<BinningOptions, 'cutRows'>;
  /** Called between rounds of every training. Returning true ends all of them with TrainingCancelled. */
  shouldStop?: () => boolean;
}

/** A model, and forecasts that show how well it does. */
export interface Learnt {
  /** Trained on all rows. */
  ensemble: TreeEnsemble;
  /** For this model's raw scores; fitted to the scores of all folds. */
  calibration: Calibration;
  /** Number of trees for each class. */
  rounds: number;
  /**
   * Forecasts for rows by models that were trained neither on these rows nor on rows whose label depends on their days. The
   * first fold determined the number of rounds and has no probabilities, nor has a later fold into whose days those labels
   * reach; only the others measure the method.
   */
  folds: readonly FoldForecasts[];
}

/**
 * Learns a model, and measures the method by walking forward in time.
 *
 * The first fold is trained with early stopping. Its best round is the number of rounds of every other training, so that no
 * later fold influences what it is judged by. A fold's probabilities are calibrated on rows of earlier
 * folds whose labels end before it, as its training rows do. Bins are cut by
 * the training rows of the first fold, so that no fold knows the values of later days.
 *
 * @throws RangeError when there are too few days for two folds
 * @throws TrainingCancelled when the task's `shouldStop` returns true
 */
export function learn(trainer: Trainer, task: LearningTask): Learnt {
  const [first, ...later] = walkForwardFolds(task.days, task.walkForward);
  if (!first || later.length === 0) throw new RangeError('too few days to learn from for two folds');
  const binned = trainer.bin(task.matrix, { ...task.binning, cutRows: first.train });
  const [stopped, last, ...others] = trainer.trainAlike(
    binned,
    trainingOf(task, first.train, first.validation),
    [
      trainingOf(task, task.matrix.allRows),
      ...later.map(({ train, validation }) => trainingOf(task, train, validation)),
    ],
  );
  const scored = [
    scoredFold(task, first, stopped!),
    ...later.map((fold, i) => scoredFold(task, fold, others[i]!)),
  ];
  const { ensemble } = last!;
  const calibrations = new FoldCalibrations(scored);
  const calibration = calibrations.ofAll();
  return {
    ensemble,
    calibration: task.classes === 2 ? shifted(calibration, ensemble.baseScores[0]!) : calibration,
    rounds: treeCount(ensemble) / ensemble.scores,
    folds: prequential(scored, calibrations),
  };
}

function scoredFold(
  { classes, labels, weights }: LearningTask,
  fold: Fold,
  { ensemble, validationScores }: Training,
): ScoredFold {
  const { from, to } = fold.validation;
  return {
    ...fold,
    classes,
    scores: classes === 2 ? added(validationScores, ensemble) : validationScores,
    labels: labels.subarray(from, to),
    weights: weights.subarray(from, to),
  };
}

/** What the trees of a binary model add to its base score. */
function added(scores: Float32Array, { baseScores }: TreeEnsemble): Float32Array {
  return scores.map((score) => score - baseScores[0]!);
}

function trainingOf(
  { classes, labels, weights, parameters, shouldStop }: LearningTask,
  rows: RowRange,
  validation?: RowRange,
): TrainingTask {
  return {
    classes,
    labels,
    weights: withMeanOne(weights, rows),
    rows,
    parameters,
    ...(validation && { validation }),
    ...(shouldStop && { shouldStop }),
  };
}
