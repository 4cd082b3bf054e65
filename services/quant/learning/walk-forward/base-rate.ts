import { smoothedTargets } from '../calibration/smoothed-targets.ts';
import { pooled, type ScoredFold } from './scored-fold.ts';

/**
 * Share of label 1 in these folds by weight, as Platt's targets have it: the mean of the probabilities that a sigmoid
 * fitted to them gives to their rows, and the probability of every row where scores tell it nothing.
 */
export function baseRate(folds: readonly ScoredFold[]): number {
  const { labels, weights } = pooled(folds);
  return smoothedTargets(labels, weights).rate;
}
