import { asRead, type ReadSuggestion } from '../read-result-fixture.ts';
import { defaultsOf } from '../parameters.ts';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { anyProbability, learntMarketOf, pastForecastOf } from '../learnt/learnt-market-fixture.ts';
import type { LearntMarket } from '../learnt/learnt-market.ts';
import { syntheticBars } from '../market-fixtures.ts';
import { screenInput } from '../screen-input-fixture.ts';
import type { ScreenInput } from '../screen.ts';
import { combinedResult } from './screen.ts';
import { type CombinedParams, params as declared, STRATEGIES } from './params.ts';

/** Model F on an invented market whose probabilities are given. */

export const DEFAULTS: CombinedParams = {
  ...defaultsOf(declared),
  min_price: 100,
  min_daily_val: 100_000_000,
  min_probability: 50,
  min_signals: 1,
  prob_weight: 0.6,
  signal_penalty: 0.3,
  strategy: 'Inverse Signal',
  target_gain: 0.1,
  stop_loss: 0.05,
  max_picks: 10,
};
export const EVERY_STRATEGY = [...STRATEGIES, 'Compare All'] as const;

export const panel = panelOf(syntheticBars({ seed: 7, tickers: 150, days: 320 }));
export const table = screenInput({ panel, params: {} }).features();
export const LAST_DAY = panel.dayCount - 1;

/** 60 days of forecasts. The last day is old enough for its outcome to be known. */
export const past = Array.from({ length: 60 }, (_, i) => LAST_DAY - 25 - i).flatMap((day) => {
  const { from, to } = table.rowsOf(day);
  return Array.from({ length: to - from }, (_, i) => {
    const code = panel.columns.tickers[table.columns.ticker[from + i]!]!;
    const probability = anyProbability(code, day);
    return pastForecastOf(
      table,
      from + i,
      probability,
      anyProbability(code, day + 1_000) < probability ? 0.09 : -0.06,
    );
  });
});
export const market = learntMarketOf(table, LAST_DAY, (code) => anyProbability(code, LAST_DAY), past);

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
