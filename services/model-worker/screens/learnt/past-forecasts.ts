import type { FeatureTable } from '#quant/features/feature-table.ts';
import { baseRate } from '#quant/learning/walk-forward/base-rate.ts';
import type { Learnt } from '#quant/learning/walk-forward/learn.ts';
import { UNCOUNTED_FOLDS } from './learning-plan.ts';
import type { PastForecast } from './learnt-market.ts';
import { stockOf } from './scored-stock.ts';
import type { TrainingSet } from './training-set.ts';

/** Forecasts of the folds that count, with the probabilities that would have been shown at the time. */
export function pastForecasts(
  table: FeatureTable,
  set: Pick<TrainingSet, 'rows' | 'days' | 'outcomes'>,
  { folds }: Pick<Learnt, 'folds'>,
): PastForecast[] {
  const { won, netReturn } = set.outcomes;
  return folds.flatMap(({ validation, probabilities }, fold) => {
    if (fold < UNCOUNTED_FOLDS || !probabilities) return [];
    const rate = baseRate(folds.slice(0, fold));
    return Array.from(probabilities, (chance, i) => {
      const at = validation.from + i;
      return {
        ...stockOf(table, set.rows[at]!, chance, rate),
        day: set.days[at]!,
        netReturn: netReturn[at]!,
        won: won[at] === 1,
      };
    });
  });
}
