import type { FeatureTable } from '#quant/features/feature-table.ts';
import type { Learnt } from '#quant/learning/walk-forward/learn.ts';
import type { PastForecast } from './learnt-market.ts';
import { stockOf } from './scored-stock.ts';
import type { TrainingSet } from './training-set.ts';
import { winRate } from './win-rate.ts';

/** Forecasts of the folds that chose nothing, with the probabilities that would have been shown at the time. */
export function pastForecasts(
  table: FeatureTable,
  set: Pick<TrainingSet, 'rows' | 'days' | 'outcomes' | 'weights'>,
  { folds }: Pick<Learnt, 'folds'>,
): PastForecast[] {
  const { won, netReturn } = set.outcomes;
  return folds.flatMap(({ train, validation, probabilities }) => {
    if (!probabilities) return [];
    const baseRate = winRate(set, train);
    return Array.from(probabilities, (chance, i) => {
      const at = validation.from + i;
      return {
        ...stockOf(table, set.rows[at]!, chance, baseRate),
        day: set.days[at]!,
        netReturn: netReturn[at]!,
        won: won[at] === 1,
      };
    });
  });
}
