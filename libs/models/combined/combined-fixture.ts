import { asRead, type ReadSuggestion } from '../fixtures/read-result-fixture.ts';
import { defaultsOf } from '../inputs/parameters.ts';
import { LAST_DAY, marketOn, panel, pastDays } from '../fixtures/given-probabilities-fixture.ts';
import { anyProbability } from '../learnt/learnt-market-fixture.ts';
import type { LearntMarket } from '../learnt/learnt-market.ts';
import { screenInput } from '../fixtures/screen-input-fixture.ts';
import type { ScreenInput } from '../model/screen.ts';
import { combinedResult } from './screen.ts';
import { params as declared, STRATEGIES, type CombinedParams } from './params.ts';

/** Model F on an invented market whose probabilities are given. */

export const DEFAULTS: CombinedParams = {
  ...defaultsOf(declared),
  min_price: 100,
  min_daily_val: 100_000_000,
  min_probability: 50,
  min_signals: 1,
};
export const EVERY_STRATEGY = [...STRATEGIES, 'Compare All'] as const;

/** 60 days of forecasts. */
export const past = pastDays(60, (code, day, probability) =>
  anyProbability(code, day + 1_000) < probability ? 0.09 : -0.06,
);
export const market = marketOn(LAST_DAY, past);

interface Pick {
  ticker: string;
  rank: number;
  close: number;
  probability: number;
  win_chance_pct: number;
  base_rate_pct: number;
  score: number;
  score_from_probability: number;
  score_from_signals: number;
  signals: number;
  entry_low: number;
  entry_high: number;
  stop: number;
  target: number;
}
interface Quality {
  win_rate?: number;
  payoff?: number;
  candidates: number;
}
type Funnel = Record<
  'total_scanned' | 'total_liquid' | 'after_probability' | 'after_signals' | 'final',
  number
>;
interface Empty {
  reason: string;
  message: string;
  funnel: Funnel;
  suggestions: ReadSuggestion[];
  changes: object;
}
export interface Compact {
  as_of: string;
  pick_count: number;
  levels: Record<string, number>;
  picks: Pick[];
  model_quality: Quality;
  funnel: Funnel;
  empty?: Empty;
}
interface Full {
  pick_count: number;
  levels: Record<string, number>;
  df_result: Record<string, string | number | null>[];
  model_quality: Quality;
  diag: Funnel & Record<string, unknown>;
  empty?: Empty;
}

export function screen(
  change: Partial<CombinedParams>,
  given: Partial<Omit<ScreenInput, 'params'>> = {},
  learnt: LearntMarket = market,
) {
  const params = { ...DEFAULTS, ...change };
  return combinedResult(screenInput({ panel, params, ...given }), learnt);
}
export const compact = (
  change: Partial<CombinedParams> = {},
  given: Partial<Omit<ScreenInput, 'params'>> = {},
) => asRead<Compact>(screen(change, { ...given, view: 'compact' }).result);
export const full = (
  change: Partial<CombinedParams> = {},
  given: Partial<Omit<ScreenInput, 'params'>> = {},
) => asRead<Full>(screen(change, given).result);
export const tickers = (
  change: Partial<CombinedParams> = {},
  given: Partial<Omit<ScreenInput, 'params'>> = {},
) => compact(change, given).picks.map(({ ticker }) => ticker);
