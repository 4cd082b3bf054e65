import type { RowRange } from '#quant/panel/ranges.ts';
import type { BinnedShape } from '../binning/binned-layout.ts';
import { CELL_BYTES, TOUCH_ROWS } from '../kernels/histogram.ts';
import { recordBytes } from '../kernels/records.ts';
import { AddressPlan, type MemoryViews } from '../kernels/kernel-memory.ts';
import {
  DEFAULT_PARAMETERS,
  requireParameters,
  type BoostingParameters,
  type TrainingTask,
} from './trainer.ts';
import { programBytes } from './grown-tree.ts';
import { WINNER_BYTES } from './split-search.ts';

/** A training as sent to every thread. Labels and weights are already in the shared memory. */
export interface BoostingJob {
  binned: BinnedShape;
  /** Address where its data begin: after the binned table and after the data of trainings that run at the same time. */
  start: number;
  /** Rows of the table used for training. */
  rows: RowRange;
  /** Rows on which each round is measured; empty for none. */
  validation: RowRange;
  /** Scores a row has: 1 for binary, the number of classes otherwise. */
  scores: number;
  /** Score of every row before the first tree, one for each score. */
  baseScores: readonly number[];
  /** Fixed-point units of a gradient of 1 in a row of weight 1. */
  scale: number;
  /** Sum of the validation rows' weights. */
  validationWeight: number;
  parameters: BoostingParameters;
}

/** Columns over a range of the table's rows, counted from 0 and padded to a multiple of 4. Addresses in bytes. */
export interface RowColumns {
  rowCount: number;
  /** Index of the first of these rows in the table. */
  firstRow: number;
  /** 32-bit labels, and weights already multiplied by the fixed-point scale. */
  labels: number;
  weights: number;
  /** 32-bit floats, one class after the other, `stride` bytes apart. `sums` are sums of leaf values, without the base score. */
  sums: number;
  probabilities: number;
  stride: number;
}

/** Addresses of a training's data, after the binned table. The lists of the members follow each other. */
export interface BoostingLayout {
  training: RowColumns;
  validation: RowColumns;
  /** Base scores, 32-bit floats. */
  baseScores: number;
  /** Packed gradients of the training rows. */
  gradients: number;
  /** Sums of the validation rows at the best round. */
  bestSums: number;
  /** Summed log-loss of each block of validation rows. */
  losses: number;
  /** Row lists: the rows sampled for a round, and two lists that the levels of a tree use alternately. */
  sampled: number;
  lists: readonly [number, number];
  listBytes: number;
  /** The records of the training rows, and the addresses of the columns that they are made of, `usedBytes` for each member. */
  records: number;
  used: number;
  usedBytes: number;
  /** Histograms of nodes, `histogramBytes` each, and the partial histograms of every member except the first. */
  histograms: number;
  partial: number;
  histogramBytes: number;
  /** Maximum number of pairs and of nodes that can be open at a level. */
  mostPairs: number;
  mostOpenNodes: number;
  /** Best splits, by member and node. */
  winners: number;
  /** A finished tree in the form used for scoring, by member. */
  programs: number;
  programBytes: number;
  end: number;
}

export function boostingLayout(job: BoostingJob, members: number): BoostingLayout {
  const plan = new AddressPlan(job.start);
  const { depth } = job.parameters;
  const listBytes = 4 * (mostBlockRows(job.rows.to - job.rows.from, members) + 2 * TOUCH_ROWS);
  const histogramBytes = usedFeatures(job) * job.binned.bins * CELL_BYTES;
  const shape = { features: job.binned.features, usedFeatures: usedFeatures(job) };
  const usedBytes = 4 * usedFeatures(job);
  const mostPairs = 2 ** Math.max(0, depth - 2);
  const mostOpenNodes = 2 ** (depth - 1);
  const mostProgramBytes = programBytes(2 ** (depth + 1));
  const rowColumns = ({ from, to }: RowRange): RowColumns => {
    const stride = 4 * inFours(to - from);
    return {
      rowCount: to - from,
      firstRow: from,
      labels: plan.take(stride),
      weights: plan.take(stride),
      sums: plan.take(stride * job.scores),
      probabilities: plan.take(stride * job.scores),
      stride,
    };
  };
  const validation = rowColumns(job.validation);
  return {
    training: rowColumns(job.rows),
    validation,
    baseScores: plan.take(4 * job.scores),
    gradients: plan.take(4 * inFours(job.rows.to - job.rows.from)),
    bestSums: plan.take(validation.stride * job.scores),
    losses: plan.take(8 * blockCount(validation.rowCount)),
    sampled: plan.take(members * listBytes),
    lists: [plan.take(members * listBytes), plan.take(members * listBytes)],
    listBytes,
    records: plan.take(recordBytes(shape, job.rows.to - job.rows.from)),
    used: plan.take(members * usedBytes),
    usedBytes,
    histograms: plan.take(mostOpenNodes * histogramBytes),
    partial: plan.take((members - 1) * mostPairs * histogramBytes),
    histogramBytes,
    mostPairs,
    mostOpenNodes,
    winners: plan.take(members * mostOpenNodes * WINNER_BYTES),
    programs: plan.take(members * mostProgramBytes),
    programBytes: mostProgramBytes,
    end: plan.end,
  };
}

/** Number of features that a tree may use. */
export function usedFeatures({ binned, parameters }: Pick<BoostingJob, 'binned' | 'parameters'>): number {
  return Math.max(1, Math.round(parameters.featureShare * binned.features));
}

function inFours(rows: number): number {
  return Math.ceil(rows / 4) * 4;
}

/**
 * The job that threads receive for a task, with its data from `start` on.
 * @throws RangeError for parameters out of range, or when the rows have no weight
 */
export function jobOf(task: TrainingTask, binned: BinnedShape, start: number): BoostingJob {
  const parameters = { ...DEFAULT_PARAMETERS, ...task.parameters };
  requireParameters(parameters);
  const validation = task.validation ?? { from: 0, to: 0 };
  const ofClasses = classWeights(task, task.rows);
  const totalWeight = sum(ofClasses);
  const validationWeight = sum(classWeights(task, validation));
  if (totalWeight === 0) throw new RangeError('the rows to learn from have no weight');
  if (parameters.patience !== null && validationWeight === 0)
    throw new RangeError('patience needs validation rows with weight');
  return {
    binned,
    start,
    rows: task.rows,
    validation: validationWeight > 0 ? validation : { from: 0, to: 0 },
    scores: task.classes === 2 ? 1 : task.classes,
    baseScores: baseScoresOf(ofClasses),
    scale: fixedPointScale(totalWeight, largestWeight(task)),
    validationWeight,
    parameters,
  };
}

/** Writes a task's labels, weights and base scores to the addresses where the threads read them. */
export function placeTask(
  views: MemoryViews,
  task: TrainingTask,
  job: BoostingJob,
  layout: BoostingLayout,
): void {
  views.f32.set(job.baseScores, layout.baseScores / 4);
  placeColumns(views, layout.training, task, job, job.rows, job.scale);
  placeColumns(views, layout.validation, task, job, job.validation, 1);
}

function placeColumns(
  { i32, f32 }: MemoryViews,
  columns: RowColumns,
  { labels, weights }: TrainingTask,
  { scores }: BoostingJob,
  { from, to }: RowRange,
  scale: number,
): void {
  const words = columns.stride / 4;
  const label = i32.subarray(columns.labels / 4, columns.labels / 4 + words).fill(0);
  const weight = f32.subarray(columns.weights / 4, columns.weights / 4 + words).fill(0);
  for (let row = from; row < to; row++) {
    label[row - from] = labels[row]!;
    weight[row - from] = (weights?.[row] ?? 1) * scale;
  }
  f32.fill(0, columns.sums / 4, columns.sums / 4 + scores * words);
}

function classWeights({ classes, labels, weights }: TrainingTask, { from, to }: RowRange): number[] {
  const sums = new Array<number>(classes).fill(0);
  for (let row = from; row < to; row++) sums[labels[row]!]! += weights?.[row] ?? 1;
  return sums;
}

function largestWeight({ weights, rows: { from, to } }: TrainingTask): number {
  if (!weights) return 1;
  let largest = 0;
  for (let row = from; row < to; row++) largest = Math.max(largest, weights[row]!);
  return largest;
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}

/**
 * Rows are assigned to members in blocks, in turn. Market-wide features split the rows by date: if each member had one range
 * of dates, it would have all rows of such a node or none. A multiple of 4, for the vector kernels.
 */
const BLOCK_ROWS = 1_024;

/** A block of rows: its index, its first row and its number of rows. */
export interface RowBlock {
  index: number;
  from: number;
  count: number;
}

/** A member's blocks of `rowCount` rows. */
export function blocksOf(member: { index: number; count: number }, rowCount: number): RowBlock[] {
  const blocks: RowBlock[] = [];
  for (let index = member.index; index * BLOCK_ROWS < rowCount; index += member.count) {
    const from = index * BLOCK_ROWS;
    blocks.push({ index, from, count: Math.min(BLOCK_ROWS, rowCount - from) });
  }
  return blocks;
}

export function blockCount(rowCount: number): number {
  return Math.ceil(rowCount / BLOCK_ROWS);
}

/** Maximum number of rows that one of `members` members can have. */
function mostBlockRows(rowCount: number, members: number): number {
  return Math.ceil(blockCount(rowCount) / members) * BLOCK_ROWS;
}

/** Bounds of a class's share for the base score, whose logarithm must be finite. */
const MIN_CLASS_SHARE = 1e-6;

/**
 * Scores that give every row the class frequencies: the log-odds of label 1 for two classes, otherwise the logarithm of each
 * frequency. 32-bit floats.
 *
 * @param weights summed weight of each class
 */
export function baseScoresOf(weights: readonly number[]): number[] {
  const total = weights.reduce((a, b) => a + b);
  const shares = weights.map((weight) =>
    Math.min(1 - MIN_CLASS_SHARE, Math.max(MIN_CLASS_SHARE, weight / total)),
  );
  if (weights.length === 2) return [Math.fround(Math.log(shares[1]! / (1 - shares[1]!)))];
  return shares.map((share) => Math.fround(Math.log(share)));
}

/** A row's gradient is stored in 16 bits, sign included. */
const MAX_GRADIENT = 32_767;
/** Sums stay below 2^31; one percent is reserved for the rounding of up to 40 million rows. */
const MAX_SUM = 0.99 * 2 ** 31;

/**
 * Fixed-point units of a gradient of 1 in a row of weight 1. Neither the gradient nor the hessian of log-loss exceeds the
 * row's weight, so nothing can overflow. Integer sums are the same in any order: a model does not depend on how its rows were
 * assigned to members, and a parent less one child is exactly the other child.
 */
export function fixedPointScale(totalWeight: number, largestWeight: number): number {
  return Math.fround(Math.min(MAX_GRADIENT / largestWeight, MAX_SUM / totalWeight));
}
