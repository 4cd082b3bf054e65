import type { RowRange } from '#quant/learning/matrix/feature-matrix.ts';
import type { TrainingSet } from './training-set.ts';

/**
 * Share of rows that reached the target first, by weight. After Laplace's rule of succession, so that it is neither 0 nor
 * 1 where nobody or everybody did, and no forecast is infinitely better than it.
 */
export function winRate(
  { outcomes: { won }, weights }: Pick<TrainingSet, 'outcomes' | 'weights'>,
  { from, to }: RowRange,
): number {
  let [wins, total] = [1, 2];
  for (let row = from; row < to; row++) {
    total += weights[row]!;
    if (won[row] === 1) wins += weights[row]!;
  }
  return wins / total;
}
