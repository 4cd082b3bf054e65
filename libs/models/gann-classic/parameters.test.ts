import { describe, expect, test } from 'vitest';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { syntheticBars } from '#quant/panel/generated-bars-fixture.ts';
import { gannResultOf, type GannResult } from './gann-fixture.ts';
import type { GannParams } from './params.ts';

const panel = panelOf(syntheticBars({ seed: 11, tickers: 100, days: 320 }));
const screen = (change: Partial<GannParams> = {}): Promise<GannResult> =>
  gannResultOf(panel, { use_ml: false, ...change });

describe('every parameter has an effect', () => {
  const wide = { min_cycle_score: 30, min_daily_val: 1e8, min_price: 50, max_picks: 20 };
  const onCycle = async (change: Partial<GannParams>) =>
    (await screen({ ...wide, ...change })).diag.after_cycle;
  const rows = async (change: Partial<GannParams>) => (await screen({ ...wide, ...change })).df_result;

  test('a higher minimum cycle score passes fewer names, wider tolerances more', async () => {
    const byScore = await Promise.all([0, 20, 40, 60].map((min_cycle_score) => onCycle({ min_cycle_score })));
    expect(byScore).toEqual(byScore.toSorted((a, b) => b - a));
    expect(byScore[0]).toBeGreaterThan(byScore[3]!);
    const byDays = await Promise.all([0, 2, 5].map((cycle_tolerance) => onCycle({ cycle_tolerance })));
    expect(byDays).toEqual(byDays.toSorted((a, b) => a - b));
    expect(byDays[2]).toBeGreaterThan(byDays[0]!);
    const byPrice = await Promise.all(
      [0.5, 1.5, 5].map((price_tolerance_pct) => onCycle({ price_tolerance_pct })),
    );
    expect(byPrice).toEqual(byPrice.toSorted((a, b) => a - b));
    expect(byPrice[2]).toBeGreaterThan(byPrice[0]!);
  });

  test('only the cycles asked for are reported', async () => {
    for (const row of await rows({ cycles: [30] })) expect(row['Cycle Hit']).toMatch(/^(-|30 hari.*)$/);
  });

  test('repeated or reordered cycles change nothing, and without cycles none is reported', async () => {
    expect(await rows({ cycles: [90, 45, 90] })).toEqual(await rows({ cycles: [45, 90] }));
    const none = await rows({ cycles: [] });
    expect(none.length).toBeGreaterThan(0);
    for (const row of none) expect(row).toMatchObject({ 'Cycle Hit': '-', 'Next Turn Date': null });
  });

  test('target and stop set the levels and the outcomes counted in the quality', async () => {
    const [near, far] = [await screen(wide), await screen({ ...wide, target_gain: 0.3, stop_loss: 0.15 })];
    expect(far.levels).toEqual({ target_gain_pct: 30, stop_loss_pct: 15, entry_spread_pct: 1 });
    expect(far.model_quality.candidates).toBe(near.model_quality.candidates);
    expect(far.model_quality.win_rate).not.toBe(near.model_quality.win_rate);
    const narrow = await screen({ ...wide, stop_loss: 0.02 });
    expect(narrow.model_quality.win_rate).toBeLessThan(near.model_quality.win_rate!);
  });
});
