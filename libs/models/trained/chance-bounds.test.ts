import { expect, test } from 'vitest';
import { supportedChances } from '#quant/learning/calibration/supported-chances.ts';
import { decidedOutcomes } from '#quant/learning/walk-forward/fold-calibrations.ts';
import { walkForwardFolds } from '#quant/learning/walk-forward/folds.ts';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { defaultsOf } from '../inputs/parameters.ts';
import { winChance } from '../picks/pick-row.ts';
import { params as ofA } from '../regime-adaptive/params.ts';
import { screenInput } from '../fixtures/screen-input-fixture.ts';
import { leastDays, walkForward } from '../inputs/history.ts';
import { learnMarket, requireEnough } from './learn-market.ts';
import { REQUEST } from '../fixtures/learning-fixture.ts';
import { spannedDays } from './provenance.ts';
import { trainingSet } from './training.ts';
import { walkBars } from './walk-fixture.ts';

const params = defaultsOf(ofA);
const { target_gain: targetGain, stop_loss: stopLoss, horizon_days: horizonDays } = params;
/** The method of model A with its defaults. */
const DEFAULTS = {
  ...REQUEST,
  targetGain,
  stopLoss,
  horizonDays,
  trainDays: params.train_days,
  leastDays: leastDays(horizonDays),
};

/** Ten tests, so that none takes long on a busy machine. */
const FIRST_SEEDS = Array.from({ length: 10 }, (_, i) => 20 * i + 1);

test.each(FIRST_SEEDS)(
  'on small markets without signal no chance is further from its base rate than outcomes support, and none is 0 or 100 %%: 20 seeds from %i',
  async (first) => {
    for (let seed = first; seed < first + 20; seed++) {
      const panel = panelOf(walkBars({ seed, tickers: 12, days: 320, pull: 0 }));
      const input = screenInput({ panel, params });
      const market = await learnMarket(input, { ...DEFAULTS, analysisDate: panel.columns.dates.at(-1)! });
      const table = input.features();
      const { days, weights } = trainingSet(
        table,
        requireEnough(table, market.day, DEFAULTS),
        market.day,
        DEFAULTS,
      );
      const folds = walkForwardFolds(days, walkForward(spannedDays(days), horizonDays));
      const outcomes = decidedOutcomes(
        folds.map(({ validation: { from, to } }) => ({ weights: weights.subarray(from, to) })),
      );
      expect(outcomes).toBeLessThan(1_000);
      expect(market.stocks.length).toBeGreaterThan(0);
      for (const stock of [...market.stocks, ...market.past]) {
        const { least, most } = supportedChances(stock.baseRate, outcomes);
        expect(stock.chance, `seed ${seed}`).toBeGreaterThan(least - 1e-6);
        expect(stock.chance, `seed ${seed}`).toBeLessThan(most + 1e-6);
        const { win_chance_pct } = winChance(stock);
        expect(win_chance_pct).toBeGreaterThan(0);
        expect(win_chance_pct).toBeLessThan(100);
      }
    }
  },
);
