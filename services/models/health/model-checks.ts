import type { ModelCheck } from '#proto/saring/models/v1/catalogue.ts';
import { shortfallOf } from '#models/inputs/data-needs.ts';
import { defaultsOf } from '#models/inputs/parameters.ts';
import type { Model } from '#models/model/model.ts';
import { MODELS } from '#models/registry.ts';
import type { Sentence } from '#foundation/text/languages.ts';
import { effectiveAnalysisDate, type AnalysisDates } from '../analysis-day/analysis-date.ts';
import type { TradingDays } from '../analysis-day/trading-days.ts';
import type { CanaryResults } from './canary.ts';

export type ModelCheckDates = Pick<AnalysisDates, 'clock' | 'pin'> & {
  tradingDays: Pick<TradingDays, 'data'>;
};

/** What the served dataset lacks for a run of a model with default parameters, on the newest day that runs may analyse. */
export function shortfallOfModel(
  model: Model,
  { tradingDays, ...dates }: ModelCheckDates,
): Sentence | undefined {
  const date = effectiveAnalysisDate('today', dates);
  return shortfallOf(model, defaultsOf(model.params), tradingDays.data, date)?.in;
}

/**
 * Why a run of each model cannot complete: what the dataset lacks, or else why the last canary failed on it. Only a run knows
 * everything that it needs, such as which stocks are liquid.
 */
export function checkedModels(
  dates: ModelCheckDates,
  canaries: Pick<CanaryResults, 'failureOf'>,
): ModelCheck[] {
  return MODELS.map((model) => {
    const reason = shortfallOfModel(model, dates) ?? canaries.failureOf(model.id);
    return { id: model.id, shortfall: reason?.id, shortfall_english: reason?.en };
  });
}
