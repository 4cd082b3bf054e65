import type { RowRange } from '#quant/panel/ranges.ts';
import type { BinningJob } from '../binning/bin-rows.ts';
import type { TreeEnsemble } from '../tree-ensemble.ts';
import { MAX_LEAVES } from '../kernels/add-tree.ts';
import type { FeatureMatrix } from '../feature-matrix.ts';

export interface BinningOptions {
  /** Maximum number of bins for each feature, 2 to 256. */
  bins?: number;
  /** Rows from which the cuts are chosen. By default all; a range when later rows must not be used. */
  cutRows?: RowRange;
}

/** A matrix whose bins are in a trainer's memory, until that trainer bins another matrix. */
export interface BinnedMatrix {
  matrix: FeatureMatrix;
  /** The cuts of each feature, ascending. */
  cuts: readonly Float32Array[];
  job: BinningJob;
}

export interface Training {
  /** Trees up to the best round. */
  ensemble: TreeEnsemble;
  /** Mean log-loss on the validation rows after each round, including the rounds after the best; empty without patience. */
  losses: readonly number[];
  /** Raw scores of the validation rows by this ensemble, one row after the other. */
  validationScores: Float32Array;
}

/**
 * Gradient-boosted trees on histograms (Friedman 2001; Chen & Guestrin 2016; Ke et al. 2017): binary and multiclass log-loss,
 * grown level by level. The same matrix, task and seed give the same bits on any number of threads.
 *
 * A trainer holds one binned matrix at a time: bin once, then train as often as needed on ranges of its rows.
 * `libs/trainer-threads` implements this interface.
 */
export interface Trainer {
  /** @throws UnusableFeature when a value is not finite */
  bin(matrix: FeatureMatrix, options?: BinningOptions): BinnedMatrix;
  /** @throws TrainingCancelled when the task's `shouldStop` returns true */
  train(binned: BinnedMatrix, task: TrainingTask): Training;
  /**
   * The trainings that `train` gives for the first task, and for each of the others with the number of rounds that the first one
   * kept. Faster than one after the other.
   * @throws TrainingCancelled when the first task's `shouldStop` returns true
   */
  trainAlike(binned: BinnedMatrix, first: TrainingTask, others: readonly TrainingTask[]): Training[];
}

/** What to learn from the rows of a matrix. */
export interface TrainingTask {
  /** 2 for the probability of label 1, 3 or more for a probability of each label. */
  classes: number;
  /** One for each row of the matrix, integers from 0 to `classes` - 1; ignored for rows that the task does not use. */
  labels: ArrayLike<number>;
  /** One for each row of the matrix, not negative; 1 when absent. A row of weight 2 counts as two rows. */
  weights?: ArrayLike<number>;
  /** Rows used for training. */
  rows: RowRange;
  /** Rows to score. With `patience`, they also determine the best round. */
  validation?: RowRange;
  parameters?: Partial<BoostingParameters>;
  /** Called between rounds on the calling thread. Returning true ends the training with {@link TrainingCancelled}. */
  shouldStop?: () => boolean;
}

/** The training was cancelled because its result is no longer needed. */
export class TrainingCancelled extends Error {
  override name = 'TrainingCancelled';

  constructor() {
    super('the training was cancelled');
  }
}

/** @throws RangeError with the reason why the task cannot be trained */
export function requireTask(
  matrix: FeatureMatrix,
  { classes, labels, weights, rows, validation }: TrainingTask,
): void {
  if (!Number.isInteger(classes) || classes < 2 || classes > 64)
    throw new RangeError(`classes must be an integer from 2 to 64, got ${classes}`);
  requireRange('rows', rows, matrix);
  if (rows.from === rows.to) throw new RangeError('rows must not be empty');
  if (labels.length !== matrix.rowCount)
    throw new RangeError('labels must be as many as the rows of the matrix');
  if (weights && weights.length !== matrix.rowCount)
    throw new RangeError('weights must be as many as the rows of the matrix');
  if (validation) requireRange('validation', validation, matrix);
  for (const { from, to } of validation ? [rows, validation] : [rows]) {
    for (let row = from; row < to; row++) requireRow(row, labels[row]!, weights?.[row] ?? 1, classes);
  }
}

function requireRange(name: string, { from, to }: RowRange, { rowCount }: FeatureMatrix): void {
  const valid = Number.isInteger(from) && Number.isInteger(to) && from >= 0 && from <= to && to <= rowCount;
  if (!valid) throw new RangeError(`${name} must lie within 0 to ${rowCount}, got ${from} to ${to}`);
}

function requireRow(row: number, label: number, weight: number, classes: number): void {
  if (!Number.isInteger(label) || label < 0 || label >= classes)
    throw new RangeError(`label of row ${row} must be an integer from 0 to ${classes - 1}, got ${label}`);
  if (!(weight >= 0) || !Number.isFinite(weight))
    throw new RangeError(`weight of row ${row} must be finite and not negative, got ${weight}`);
}

/** How trees are grown. Names and meanings are XGBoost's, and so is the regularised objective. */
export interface BoostingParameters {
  /** Maximum number of trees for each class, 1 to 10,000. */
  rounds: number;
  /** Fraction of each tree's step that is applied (eta), above 0 to 1. */
  learningRate: number;
  /** Maximum levels of branches in a tree, 1 to 8. */
  depth: number;
  /** L2 penalty on leaf values, in units of summed hessian, from 0. */
  lambda: number;
  /** Gain that a split must exceed, from 0. */
  gamma: number;
  /** Minimum summed hessian of a child, from 0. */
  minChildWeight: number;
  /** Share of the rows that each round uses, above 0 to 1. */
  subsample: number;
  /** Share of the features that each tree may use, above 0 to 1; at least one feature. */
  featureShare: number;
  /** Rounds without a lower loss on the validation rows after which training ends; null trains all rounds. */
  patience: number | null;
  /** Seed for sampling rows and features: a 32-bit integer. */
  seed: number;
}

export const DEFAULT_PARAMETERS: Readonly<BoostingParameters> = {
  rounds: 100,
  learningRate: 0.1,
  depth: 6,
  lambda: 1,
  gamma: 0,
  minChildWeight: 1,
  subsample: 1,
  featureShare: 1,
  patience: null,
  seed: 1,
};

/** @throws RangeError for the first parameter that is out of its range */
export function requireParameters(parameters: BoostingParameters): void {
  const {
    rounds,
    learningRate,
    depth,
    lambda,
    gamma,
    minChildWeight,
    subsample,
    featureShare,
    patience,
    seed,
  } = parameters;
  require('rounds', Number.isInteger(rounds) && rounds >= 1 && rounds <= 10_000, rounds);
  require('learningRate', learningRate > 0 && learningRate <= 1, learningRate);
  require('depth', Number.isInteger(depth) && depth >= 1 && 2 ** depth <= MAX_LEAVES, depth);
  require('lambda', lambda >= 0 && Number.isFinite(lambda), lambda);
  require('gamma', gamma >= 0 && Number.isFinite(gamma), gamma);
  require('minChildWeight', minChildWeight >= 0 && Number.isFinite(minChildWeight), minChildWeight);
  require('subsample', subsample > 0 && subsample <= 1, subsample);
  require('featureShare', featureShare > 0 && featureShare <= 1, featureShare);
  require('patience', patience === null || (Number.isInteger(patience) && patience >= 1), patience);
  require('seed', (seed | 0) === seed, seed);
}

function require(name: string, valid: boolean, value: unknown): void {
  if (!valid) throw new RangeError(`${name} must lie in its documented range, got ${String(value)}`);
}
