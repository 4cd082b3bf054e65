import type { RowRange } from '#quant/panel/row-range.ts';
import type { FeatureMatrix } from '../matrix/feature-matrix.ts';
import type { BoostingParameters } from './parameters.ts';

/** What to learn from the rows of a matrix. */
export interface TrainingTask {
  /** 2 for a probability of label 1, 3 or more for one of each label. */
  classes: number;
  /** One a row of the matrix, whole numbers from 0 to `classes` - 1; those of rows not in use mean nothing. */
  labels: ArrayLike<number>;
  /** One a row of the matrix, not negative; 1 where absent. A row of weight 2 counts as two rows. */
  weights?: ArrayLike<number>;
  /** Rows to learn from. */
  rows: RowRange;
  /** Rows to measure every round on and, with `patience`, to choose the best round by. */
  validation?: RowRange;
  parameters?: Partial<BoostingParameters>;
  /** Asked between rounds, on the calling thread; true ends the training with {@link TrainingCancelled}. */
  shouldStop?: () => boolean;
}

/** Someone no longer wants the model. */
export class TrainingCancelled extends Error {
  override name = 'TrainingCancelled';

  constructor() {
    super('the training was cancelled');
  }
}

/** @throws RangeError naming what cannot be trained on. */
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
