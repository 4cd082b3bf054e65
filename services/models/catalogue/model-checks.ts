import type { ModelCheck } from '#proto/saring/models/v1/catalogue.ts';
import { shortfallOf } from '#screens/data-needs.ts';
import { defaultsOf } from '#screens/parameters.ts';
import { MODELS } from '#screens/registry.ts';
import { effectiveAnalysisDate, type AnalysisDates } from '../analysis-day/analysis-date.ts';
import type { TradingDays } from '../analysis-day/trading-days.ts';

export type ModelCheckDates = Pick<AnalysisDates, 'clock' | 'pin'> & {
  tradingDays: Pick<TradingDays, 'data'>;
};

/** What the served dataset lacks for a run of each model with default parameters, on the newest day that runs may analyse. */
export function checkedModels({ tradingDays, ...dates }: ModelCheckDates): ModelCheck[] {
  const date = effectiveAnalysisDate('today', dates);
  return MODELS.map((model) => {
    const shortfall = shortfallOf(model, defaultsOf(model.params), tradingDays.data, date);
    return { id: model.id, shortfall: shortfall?.in.id, shortfall_english: shortfall?.in.en };
  });
}
