import type { BinnedShape } from '../binning/binned-layout.ts';
import type { RowRange } from '#quant/panel/row-range.ts';
import type { BoostingParameters } from './parameters.ts';

/** A training as every thread is told of it; labels and weights lie in the memory already. */
export interface BoostingJob {
  binned: BinnedShape;
  /** Rows of the table to learn from. */
  rows: RowRange;
  /** Rows to measure each round on; empty for none. */
  validation: RowRange;
  /** Scores a row has: 1 for binary, the number of classes otherwise. */
  scores: number;
  /** Score of every row before the first tree, one a class. */
  baseScores: readonly number[];
  /** Units of the fixed-point sums that a gradient of 1 of a row of weight 1 is worth. */
  scale: number;
  /** Sum of the validation rows' weights. */
  validationWeight: number;
  parameters: BoostingParameters;
}
