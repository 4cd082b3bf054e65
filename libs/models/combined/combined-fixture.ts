import fc from 'fast-check';
import { asRead, type ReadOf } from '../fixtures/read-result-fixture.ts';
import { defaultsOf } from '../inputs/parameters.ts';
import { LAST_DAY, marketOn, panel, pastDays } from '../fixtures/given-probabilities-fixture.ts';
import { anyProbability } from '../trained/trained-market-fixture.ts';
import type { TrainedMarket } from '../trained/trained-market.ts';
import { screenInput } from '../fixtures/screen-input-fixture.ts';
import type { ScreenInput } from '../model/screen.ts';
import { combinedResult } from './screen.ts';
import type { results } from './result.ts';
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

export const anyParams: fc.Arbitrary<CombinedParams> = fc.record({
  analysis_date: fc.constant('today'),
  min_price: fc.constantFrom(100, 500, 5000),
  min_daily_val: fc.constantFrom(1e8, 1e9, 1e10, 1e11),
  min_probability: fc.integer({ min: 60, max: 200 }).map((halves) => halves / 2),
  min_signals: fc.integer({ min: 1, max: 4 }),
  prob_weight: fc.double({ min: 0.3, max: 0.8, noNaN: true }),
  signal_penalty: fc.double({ min: 0, max: 0.5, noNaN: true }),
  strategy: fc.constantFrom(...EVERY_STRATEGY),
  target_gain: fc.double({ min: 0.05, max: 0.3, noNaN: true }),
  stop_loss: fc.double({ min: 0.02, max: 0.15, noNaN: true }),
  max_picks: fc.integer({ min: 1, max: 20 }),
});

/** 60 days of forecasts. */
const past = pastDays(60, (code, day, probability) =>
  anyProbability(code, day + 1_000) < probability ? 0.09 : -0.06,
);
export const market = marketOn(LAST_DAY, past);

export type Compact = ReadOf<typeof results.compact>;
type Full = ReadOf<typeof results.full>;

export function screen(
  change: Partial<CombinedParams>,
  given: Partial<Omit<ScreenInput, 'params'>> = {},
  trained: TrainedMarket = market,
) {
  const params = { ...DEFAULTS, ...change };
  return combinedResult(screenInput({ panel, params, ...given }), trained);
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
