import { expect, test } from 'vitest';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { syntheticBars } from './market-fixtures.ts';
import { screenOf } from './registry.ts';
import { screenInput } from './screen-input-fixture.ts';

const panel = panelOf(syntheticBars({ seed: 5, tickers: 5, days: 320 }));
const TOO_EARLY = '1999-01-01';

test.each<[string, Record<string, unknown>]>([
  ['regime_adaptive_v6', { horizon_days: 20, train_days: 250 }],
  ['gann_classic_v7', { pivot_window: 10, cycles: [90], use_ml: true }],
  ['gann_classic_v7', { pivot_window: 10, cycles: [90], use_ml: false }],
  ['gross_alpha_v10', { flow_window: 10, train_days: 250 }],
  ['confluence_filter', { seller_filter: true, seller_lookback: 5 }],
  ['recovery_v4', { horizon: 20, positions: [{ ticker: 'AAAA', pnl_input: 1 }] }],
  ['model_f_combined', { strategy: 'Intersection' }],
])('%s reads no broker rows of a day before all data and says that it is too early', async (id, params) => {
  const screen = screenOf(id);
  expect(screen.brokerSpan?.(panel, params, TOO_EARLY)).toBeUndefined();
  expect(screen.brokerDaySpan?.(panel, params, TOO_EARLY)).toBeUndefined();
  const failed = screen.run(screenInput({ panel, params, analysisDate: TOO_EARLY }));
  await expect(failed).rejects.toMatchObject({ name: 'RunFailure' });
  await expect(failed).rejects.toThrow(/^Tanggal analisis 1 Januari 1999 terlalu awal\./);
});
