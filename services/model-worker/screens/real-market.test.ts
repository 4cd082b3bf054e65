import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Panel } from '#quant/panel/panel.ts';
import { confluenceFilter } from './confluence-filter.ts';
import { realPanel } from './market-fixtures.ts';
import { screenInput } from './screen-input-fixture.ts';

/** From the repository's root. Real bars are not part of the project; without them these tests are shown as skipped. */
const ARCHIVE = '../shared/data/idx-daily.tar.gz';
const archive = path.join(fileURLToPath(new URL('../../..', import.meta.url)), ARCHIVE);
const PARAMS = {
  analysis_date: '2024-06-28',
  lookback: 5,
  min_signals: 2,
  min_price: 100,
  min_daily_val: 1_000_000_000,
  vol_ratio_min: 1.5,
  seller_filter: true,
  seller_lookback: 5,
  seller_dominance: 1.5,
  max_picks: 20,
};

describe.skipIf(!existsSync(archive))(`on the real market of ${ARCHIVE}`, () => {
  let panel: Panel;
  beforeAll(async () => {
    panel = await realPanel(archive, '2020-10-01');
  });

  const run = (change: object = {}) =>
    confluenceFilter.run(screenInput({ panel, params: { ...PARAMS, ...change } }));

  test('about 240 names are liquid and about a quarter to a third of them agree on two signals', async () => {
    const days = ['2021-06-15', '2022-06-15', '2023-06-15', '2023-12-15', '2024-06-28'];
    for (const analysis_date of days) {
      const { diag } = (await run({ analysis_date })).result as { diag: Record<string, number> };
      expect(diag['total_scanned']).toBeGreaterThan(150);
      expect(diag['total_scanned']).toBeLessThan(400);
      expect(diag['total_hits']! / diag['total_scanned']!).toBeGreaterThan(0.05);
      expect(diag['total_hits']! / diag['total_scanned']!).toBeLessThan(0.6);
    }
  });

  test('a whole run over more than 900 tickers stays under 200 ms once warm', async () => {
    for (let i = 0; i < 5; i++) await run();
    const times: number[] = [];
    for (let i = 0; i < 9; i++) {
      const begun = performance.now();
      await run();
      times.push(performance.now() - begun);
    }
    expect(panel.tickerCount).toBeGreaterThan(900);
    expect(times.toSorted((a, b) => a - b)[4]).toBeLessThan(200);
  });
});
