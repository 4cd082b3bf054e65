import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Panel } from '#quant/panel/panel.ts';
import { modelFCombined } from './combined/combined.ts';
import { realPanel } from './market-fixtures.ts';
import { regimeAdaptive } from './regime-adaptive/regime-adaptive.ts';
import { screenInput } from './screen-input-fixture.ts';
import type { Screen } from './screen.ts';

/** From the repository's root. Real bars are not part of the project; without them these tests are shown as skipped. */
const ARCHIVE = '../shared/data/idx-daily.tar.gz';
const archive = path.join(fileURLToPath(new URL('../../..', import.meta.url)), ARCHIVE);

const A = {
  ...{ regime: 'auto', min_price: 200, min_daily_val: 5e9, min_probability: 45, target_gain: 0.08 },
  ...{ stop_loss: 0.05, horizon_days: 20, train_days: 500, max_picks: 10 },
};
const F = {
  ...{ min_price: 500, min_daily_val: 10e9, min_probability: 45, min_signals: 1, prob_weight: 0.6 },
  ...{ signal_penalty: 0.3, strategy: 'Compare All', target_gain: 0.1, stop_loss: 0.05, max_picks: 10 },
};

interface Result {
  as_of: string;
  pick_count: number;
  df_result: Record<string, number | string>[];
  model_quality: { win_rate: number; payoff: number; candidates: number };
  diag: Record<string, number>;
}

describe.skipIf(!existsSync(archive))(`on the real market of ${ARCHIVE}`, () => {
  let panel: Panel;
  beforeAll(async () => {
    panel = await realPanel(archive, '2021-01-01');
  }, 120_000);

  const run = async (screen: Screen, params: object, analysisDate: string) => {
    const { result } = await screen.run(screenInput({ panel, params: { ...params }, analysisDate }));
    return result as unknown as Result;
  };

  /** Of all names 25 to 35 in a hundred reach such a target before the stop: far more would be a leak. */
  function expectHonest({ model_quality: { win_rate, payoff, candidates } }: Result): void {
    expect(candidates).toBeGreaterThan(100);
    expect(win_rate).toBeGreaterThan(10);
    expect(win_rate).toBeLessThan(55);
    expect(payoff).toBeGreaterThan(0.8);
    expect(payoff).toBeLessThan(2.5);
  }

  test('model A finds a few of about 130 names', async () => {
    const result = await run(regimeAdaptive, A, '2023-09-15');
    const { diag, pick_count, df_result, as_of } = result;
    expect(as_of).toBe('2023-09-15');
    expect(diag['total_scanned']).toBeGreaterThan(90);
    expect(diag['total_scanned']).toBeLessThan(200);
    expect(pick_count).toBeGreaterThan(0);
    expect(pick_count).toBeLessThanOrEqual(10);
    for (const row of df_result) expect(Number.parseFloat(row['Probability'] as string)).toBeLessThan(85);
    expectHonest(result);
  });

  test('model F finds a few of about 85 names', async () => {
    const result = await run(modelFCombined, F, '2024-05-15');
    const { diag, pick_count } = result;
    expect(diag['total_liquid']).toBeGreaterThan(60);
    expect(diag['total_liquid']).toBeLessThan(130);
    expect(diag['after_signals']).toBeLessThan(diag['total_liquid']!);
    expect(pick_count).toBeGreaterThan(0);
    expectHonest(result);
  });
});
