import type { BoostingParameters } from '../boosting/parameters.ts';
import type { BinningOptions } from '../boosting/trainer.ts';
import type { FeatureMatrix } from '../matrix/feature-matrix.ts';
import type { WalkForward } from '../validation/walk-forward.ts';

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
