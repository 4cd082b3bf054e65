import { cycleSettings } from './cycle-scores.ts';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { CycleMarket } from '#quant/gann/cycle-market.ts';
import { emptyReading } from '#quant/gann/cycle-reading.ts';
import { MarketSwings } from '#quant/gann/swings.ts';
import { tripleBarrier } from '#quant/labels/triple-barrier.ts';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { closedAtUpperLimit } from '#quant/universe/candidates.ts';
import { trainingRows } from '../trained/training.ts';
import { syntheticBars } from '#quant/panel/generated-bars-fixture.ts';
import { screenInput } from '../fixtures/screen-input-fixture.ts';
import { DEFAULTS, gannResultOf, type GannResult } from './gann-fixture.ts';
import { type GannParams } from './params.ts';
import { screen as model } from './screen.ts';

const bars = syntheticBars({ seed: 11, tickers: 100, days: 320 });
let panel: Panel;
beforeAll(() => {
  panel = panelOf(bars);
});

const screen = (change: Partial<GannParams> = {}, date?: string): Promise<GannResult> =>
  gannResultOf(panel, { use_ml: false, ...change }, date);

const anyParams: fc.Arbitrary<Partial<GannParams>> = fc.record({
  min_price: fc.constantFrom(50, 200, 1_000),
  min_daily_val: fc.constantFrom(1e8, 1e9, 5e9, 1e11),
  pivot_window: fc.integer({ min: 5, max: 30 }),
  cycle_tolerance: fc.nat(5),
  price_tolerance_pct: fc.double({ min: 0.5, max: 5, noNaN: true }),
  min_cycle_score: fc.double({ min: 0, max: 100, noNaN: true }),
  cycles: fc.array(fc.integer({ min: 1, max: 720 }), { maxLength: 6 }),
  target_gain: fc.double({ min: 0.05, max: 0.3, noNaN: true }),
  stop_loss: fc.double({ min: 0.02, max: 0.15, noNaN: true }),
  max_picks: fc.integer({ min: 1, max: 20 }),
});
const anyDay = fc.constantFrom('2026-04-15', '2026-06-30', '2026-09-30');
const FEW = { numRuns: 20 };

describe('for any parameters', () => {
  test('levels lie on the right side of the close, and the next turn after the day', async () => {
    let seen = 0;
    const lenient = anyParams.map((params) => ({ ...params, min_cycle_score: 0, min_daily_val: 1e8 }));
    await fc.assert(
      fc.asyncProperty(lenient, anyDay, async (params, date) => {
        const { df_result, as_of } = await screen(params, date);
        for (const row of df_result) {
          const close = row['Entry'];
          expect(row['Score']).toBe(row['Cycle Score']);
          expect(row['Sq9 Support'] ?? 0).toBeLessThanOrEqual(close);
          expect(row['Sq9 Resistance'] ?? Infinity).toBeGreaterThan(close);
          expect(String(row['Next Turn Date'] ?? '9999') > as_of).toBe(true);
          seen++;
        }
      }),
      FEW,
    );
    expect(seen).toBeGreaterThan(50);
  });

  test('picks are ranked by cycle score, and all reach the minimum', async () => {
    await fc.assert(
      fc.asyncProperty(anyParams, anyDay, async (params, date) => {
        const { df_result } = await screen({ ...params, min_cycle_score: 20, min_daily_val: 1e8 }, date);
        const scores = df_result.map((row) => row['Cycle Score']);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        for (const score of scores) expect(score).toBeGreaterThanOrEqual(20);
      }),
      FEW,
    );
  });
});

test('a run without ML starts no trainer, keeps no model and says so in the result', async () => {
  const params = { ...DEFAULTS, use_ml: false };
  const trainer = () => Promise.reject(new Error('asked for a trainer'));
  const output = await model.run({ ...screenInput({ panel, params }), trainer });
  expect(output.model).toBeUndefined();
  expect(output.result).toMatchObject({ diag: { model: null, is_learnt: false } });
});

describe('model_quality', () => {
  test('is computed from the names with the best cycle scores of each past day', async () => {
    const params = { ...DEFAULTS, use_ml: false, min_cycle_score: 35, min_daily_val: 1e9, max_picks: 2 };
    const { model_quality } = await screen(params);
    const table = screenInput({ panel, params }).features();
    const day = panel.dayCount - 1;
    const cycles = new CycleMarket(new MarketSwings(panel, day, params.pivot_window), cycleSettings(params));
    const reading = emptyReading();
    const passing: { row: number; day: number; score: number; averageValue: number }[] = [];
    for (const row of trainingRows(table, day, { horizonDays: 20, trainDays: 500 })) {
      const [ticker, panelRow] = [table.columns.ticker[row]!, table.columns.panelRow[row]!];
      cycles.read(ticker, panelRow, reading);
      if (panel.columns.close[panelRow]! < 200 || table.columns.averageValue[row]! < 1e9) continue;
      if (reading.score < 35 || closedAtUpperLimit(panel, ticker, panelRow)) continue;
      const averageValue = table.columns.averageValue[row]!;
      passing.push({ row, day: table.dayOf(row), score: reading.score, averageValue });
    }
    const picked = [...Map.groupBy(passing, (each) => each.day).values()].flatMap((ofDay) =>
      ofDay.toSorted((a, b) => b.score - a.score || b.averageValue - a.averageValue).slice(0, 2),
    );
    const days = {
      ticker: picked.map(({ row }) => table.columns.ticker[row]!),
      panelRow: picked.map(({ row }) => table.columns.panelRow[row]!),
    };
    const barriers = { targetGain: 0.1, stopLoss: 0.05, horizonDays: 20 };
    const { filled, won } = tripleBarrier(panel, days, barriers, day);
    expect(picked.length).toBeGreaterThan(100);
    expect(picked.length).toBeLessThan(passing.length);
    const count = (flags: Uint8Array) => flags.reduce((sum, each) => sum + each, 0);
    expect(model_quality).toMatchObject({
      candidates: count(filled),
      unfilled: picked.length - count(filled),
    });
    expect(model_quality.win_rate).toBeCloseTo((100 * count(won)) / count(filled), 1);
  });
});

test('an empty result does not speak of probabilities, and suggests other tolerances', async () => {
  const strict = { min_cycle_score: 85, cycle_tolerance: 0, price_tolerance_pct: 0.5, min_daily_val: 1e9 };
  const { empty } = await screen(strict);
  expect(empty!.message).not.toMatch(/probabilitas/);
  expect(empty!.suggestions.map(({ label }) => label)).toContain('Skor siklus minimum');
});
