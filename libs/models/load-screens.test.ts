import { expect, test } from 'vitest';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { loadScreens, MODELS } from './registry.ts';
import { syntheticBars } from '#quant/panel/generated-bars-fixture.ts';
import { defaultsOf } from './inputs/parameters.ts';
import { screenInput } from './fixtures/screen-input-fixture.ts';

const panel = panelOf(syntheticBars({ seed: 5, tickers: 5, days: 320 }));
const TOO_EARLY = '1999-01-01';
const RUNS = MODELS.flatMap((model) =>
  model
    .examples(panel.columns.tickers)
    .map(({ params }) => [model.id, { ...defaultsOf(model.params), ...params }] as const),
);
const screenOf = await loadScreens();

test.each(RUNS)(
  '%s requests no broker rows for a day before all data and fails as too early: %j',
  async (id, params) => {
    const screen = screenOf(id);
    expect(screen.brokerSpan?.(panel, params, TOO_EARLY)).toBeUndefined();
    expect(screen.brokerDaySpan?.(panel, params, TOO_EARLY)).toBeUndefined();
    const failed = screen.run(screenInput({ panel, params, analysisDate: TOO_EARLY }));
    await expect(failed).rejects.toMatchObject({ name: 'RunFailure', code: 'insufficient_data' });
    await expect(failed).rejects.toThrow(/^The day of analysis, 1 January 1999, is too early\./);
  },
);

test('a model that is not published cannot be run', () => {
  expect(() => screenOf('backtest_v1')).toThrow(
    expect.objectContaining({ name: 'RunFailure', code: 'model_unavailable' }),
  );
});
