import { expect, test } from 'vitest';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { params as ofF } from './combined/params.ts';
import { screen } from './combined/screen.ts';
import { syntheticBars } from '#quant/panel/generated-bars-fixture.ts';
import { defaultsOf } from './inputs/parameters.ts';
import { screenInput } from './fixtures/screen-input-fixture.ts';

/**
 * The markets a new user sees first: `make run` creates the first one; tests of the fleet and the console create the second.
 */
test.each([
  { seed: 1, tickers: 300, days: 1_000 },
  { seed: 1, tickers: 150, days: 750 },
])(
  'model F with its defaults makes picks on the last day of a generated market of $tickers tickers',
  async (size) => {
    const input = screenInput({ panel: panelOf(syntheticBars(size)), params: defaultsOf(ofF) });
    const { result, summary } = await screen.run(input);
    expect(summary.tickers.length).toBeGreaterThanOrEqual(1);
    const { auc } = (result['diag'] as { model: { out_of_fold: { auc: number } } }).model.out_of_fold;
    expect(auc).toBeGreaterThan(0.53);
    expect(auc).toBeLessThan(0.65);
  },
);
