import { asRead, type ReadOf } from '../fixtures/read-result-fixture.ts';
import { defaultsOf } from '../inputs/parameters.ts';
import type { Regime } from '#quant/regime/regime.ts';
import { history, LAST_DAY, marketOn, panel, pastDays } from '../fixtures/given-probabilities-fixture.ts';
import { anyProbability } from '../trained/trained-market-fixture.ts';
import { screenInput } from '../fixtures/screen-input-fixture.ts';
import { params as declared, type RegimeAdaptiveParams } from './params.ts';
import type { results } from './result.ts';
import { regimeAdaptiveResult } from './screen.ts';

/** Model A on an invented market whose probabilities are given. */

const DEFAULTS: RegimeAdaptiveParams = {
  ...defaultsOf(declared),
  regime: 'bull',
  min_price: 50,
  min_daily_val: 100_000_000,
  min_probability: 60,
};
export const REGIMES = ['bull', 'sideways', 'bear'] as const;

/** The last day on which the market was in this regime. */
export const dayOf = (regime: Regime) => history.regime.lastIndexOf(regime);

export const past = pastDays(150, (_code, _day, _probability, i) => (i % 3 === 0 ? 0.07 : -0.06));

type Result = ReadOf<typeof results.full>;

export function screen(
  change: Partial<RegimeAdaptiveParams> = {},
  day = LAST_DAY,
  probabilityOf = anyProbability,
): Result {
  const market = marketOn(day, past, probabilityOf);
  const params = { ...DEFAULTS, ...change };
  return asRead(regimeAdaptiveResult(screenInput({ panel, params }), market).result);
}
export const probability = (row: Result['df_result'][number]) => Number.parseFloat(row['Probability']);
