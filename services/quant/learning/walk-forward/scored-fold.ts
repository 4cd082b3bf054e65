import type { Fold } from '../validation/walk-forward.ts';
import { withMeanOne } from './with-mean-one.ts';

/** Rows of a fold scored by the model learnt from the rows before them. */
export interface ScoredFold extends Fold {
  classes: number;
  /**
   * One validated row after the other. Of two classes, what the trees add to the log-odds of label 1 among the rows they
   * learnt from: those odds follow the market and differ from fold to fold. `classes` raw scores of each otherwise.
   */
  scores: Float32Array;
  /** Of the validated rows. */
  labels: Uint8Array;
  weights: Float64Array;
}

/** The rows of several folds as if they were one; weights have a mean of 1. */
export function pooled(
  folds: readonly ScoredFold[],
): Pick<ScoredFold, 'classes' | 'scores' | 'labels' | 'weights'> {
  const classes = folds[0]!.classes;
  const rows = folds.reduce((sum, { labels }) => sum + labels.length, 0);
  const scores = new Float32Array(rows * (classes === 2 ? 1 : classes));
  const labels = new Uint8Array(rows);
  const weights = new Float64Array(rows);
  let row = 0;
  for (const fold of folds) {
    scores.set(fold.scores, (row * scores.length) / rows);
    labels.set(fold.labels, row);
    weights.set(fold.weights, row);
    row += fold.labels.length;
  }
  return { classes, scores, labels, weights: withMeanOne(weights) };
}
