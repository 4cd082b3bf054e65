import { asRead } from '../read-result-fixture.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { ScreenInput } from '../screen.ts';
import { screenInput } from '../screen-input-fixture.ts';
import { leastDays } from './history.ts';
import { learnMarket } from './learn-market.ts';
import type { LearningRequest, LearntMarket } from './learnt-market.ts';

/** The learning request that tests make on their own markets. */

export const REQUEST: LearningRequest = {
  modelId: 'regime_adaptive_v6',
  version: 'v6',
  analysisDate: '2023-04-01',
  targetGain: 0.05,
  stopLoss: 0.04,
  leastDays: leastDays(5),
  horizonDays: 5,
  trainDays: 250,
};

export const PARAMS = { min_price: 200 };

/** Learns on the last day of the panel unless the request names another. */
export function learnt(
  panel: Panel,
  request: Partial<LearningRequest> = {},
  given: Partial<ScreenInput> = {},
) {
  const input = screenInput({ panel, params: PARAMS, threads: 1, ...given });
  return learnMarket(input, { ...REQUEST, analysisDate: panel.columns.dates.at(-1)!, ...request });
}

interface Description {
  fingerprint: string;
  rounds: number;
  training: { from: string; to: string; days: number; rows: number; base_rate_pct: number };
  caution?: string;
  out_of_fold: { rows: number; auc: number; win_rate_pct: number; top_decile_win_rate_pct: number };
  features: { name: string; importance_pct: number }[];
  feature_names: string[];
}
export const described = ({ description }: LearntMarket) => asRead<Description>(description);
