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

/** What to learn from all rows of a matrix, and how to find out how well that goes. */
export interface LearningTask {
  /** Rows in order of their days. */
  matrix: FeatureMatrix;
  /** 2 for a probability of label 1, 3 or more for one of each label. */
  classes: number;
  /** One a row: 0 to `classes` - 1. */
  labels: Uint8Array;
  /** One a row, not negative; only ratios count. */
  weights: Float64Array;
  /** One a row: index of its trading day. */
  days: ArrayLike<number>;
  walkForward: WalkForward;
  /** `rounds` at most, `patience` of the first fold alone. */
  parameters: Partial<BoostingParameters> & { patience: number };
  binning?: Omit<BinningOptions, 'cutRows'>;
  /** Asked between trees of every training; true ends it all with TrainingCancelled. */
  shouldStop?: () => boolean;
}

/** A model, and what is known of how well it does. */
export interface Learnt {
  /** Learnt from all rows. */
  ensemble: TreeEnsemble;
  /** Of this model's raw scores, fitted to those of all folds. */
  calibration: Calibration;
  /** Trees of each class. */
  rounds: number;
  /**
   * Forecasts of rows by models that had seen neither them nor any whose label looks at their days. Those of the first
   * fold chose the number of rounds and have no probabilities; only the later ones measure how good the method is.
   */
  folds: readonly FoldForecasts[];
}

/**
 * Learns a model and measures it as time went by.
 *
 * The first fold is trained with early stopping: its best round is the number of rounds of every other training, so that
 * no later fold has a say in what it is judged by. A fold's probabilities are calibrated on the folds before it.
 * Bins are cut by the rows the first fold learns from, so that no fold knows what values later days have.
 *
 * @throws RangeError when the days do not suffice for two folds
 * @throws TrainingCancelled when the task's `shouldStop` says so
 */
export function learn(trainer: Trainer, task: LearningTask): Learnt {
  const [first, ...later] = walkForwardFolds(task.days, task.walkForward);
  if (!first || later.length === 0) throw new RangeError('too few days to learn from for two folds');
  const binned = trainer.bin(task.matrix, { ...task.binning, cutRows: first.train });
  const stopped = trainer.train(binned, trainingOf(task, first.train, task.parameters, first.validation));
  const rounds = treeCount(stopped.ensemble) / stopped.ensemble.scores;
  const parameters = { ...task.parameters, rounds, patience: null };
  const [last, ...others] = trainer.trainEach(binned, [
    trainingOf(task, task.matrix.allRows, parameters),
    ...later.map(({ train, validation }) => trainingOf(task, train, parameters, validation)),
  ]);
  const scored = [
    scoredFold(task, first, stopped),
    ...later.map((fold, i) => scoredFold(task, fold, others[i]!)),
  ];
  const { ensemble } = last!;
  const calibrations = new FoldCalibrations(scored);
  const calibration = calibrations.after(scored.length);
  return {
    ensemble,
    calibration: task.classes === 2 ? shifted(calibration, ensemble.baseScores[0]!) : calibration,
    rounds,
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

/** What the trees of a binary model add to the score that it starts from. */
function added(scores: Float32Array, { baseScores }: TreeEnsemble): Float32Array {
  return scores.map((score) => score - baseScores[0]!);
}

function trainingOf(
  { classes, labels, weights, shouldStop }: LearningTask,
  rows: RowRange,
  parameters: Partial<BoostingParameters>,
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
