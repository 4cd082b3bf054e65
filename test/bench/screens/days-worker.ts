import { evaluateDays, type DaysMatches } from '#fields/evaluation/evaluate.ts';
import type { Days, MarketColumns } from '#fields/evaluation/market-columns.ts';
import type { Rules } from '#fields/rules/rules.ts';

/** Rules and the days on which they are evaluated. The columns lie in shared memory. */
export interface DaysTask {
  rules: Rules;
  market: MarketColumns;
  days: Days;
}

export default function evaluate({ rules, market, days }: DaysTask): DaysMatches {
  return evaluateDays(rules, market, days);
}
