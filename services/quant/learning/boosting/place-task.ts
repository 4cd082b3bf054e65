import type { BinnedShape } from '../binning/binned-layout.ts';
import type { MemoryViews } from '../kernels/memory-views.ts';
import type { RowRange } from '#quant/panel/row-range.ts';
import { baseScoresOf } from './base-scores.ts';
import { fixedPointScale } from './fixed-point.ts';
import type { BoostingJob } from './job.ts';
import type { BoostingLayout, RowColumns } from './layout.ts';
import { DEFAULT_PARAMETERS, requireParameters } from './parameters.ts';
import type { TrainingTask } from './training-task.ts';

/** A task as threads are told of it. @throws RangeError on parameters out of range or rows that all weigh nothing */
export function jobOf(task: TrainingTask, binned: BinnedShape): BoostingJob {
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
    rows: task.rows,
    validation: validationWeight > 0 ? validation : { from: 0, to: 0 },
    scores: task.classes === 2 ? 1 : task.classes,
    baseScores: baseScoresOf(ofClasses),
    scale: fixedPointScale(totalWeight, largestWeight(task)),
    validationWeight,
    parameters,
  };
}

/** Writes a task's labels, weights and base scores to where the threads look for them. */
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
