import { asRead } from '../fixtures/read-result-fixture.ts';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { CYCLE_FEATURES } from '#quant/gann/cycle-features.ts';
import { MarketSwings } from '#quant/gann/swings.ts';
import type { FeatureTable } from '#quant/features/feature-table.ts';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { trainedMarketOf } from '../trained/trained-market-fixture.ts';
import { syntheticBars } from '#quant/panel/generated-bars-fixture.ts';
import { screenInput } from '../fixtures/screen-input-fixture.ts';
import { cycleColumns } from './screen.ts';
import { DEFAULTS, gannResultOf, gannResultOn, runGann, type GannResult } from './gann-fixture.ts';
import { type GannParams } from './params.ts';

const bars = syntheticBars({ seed: 24, tickers: 90, days: 400 });
const WIDE = { min_cycle_score: 20, min_daily_val: 1e8, min_probability: 30, max_picks: 20 };
let panel: Panel;
let table: FeatureTable;
beforeAll(() => {
  panel = panelOf(bars);
  table = screenInput({ panel, params: {} }).features();
});

describe('on a market with given probabilities', () => {
  /** 40 to 90, by the second letter of the code. */
  const probabilityOf = (code: string) => 40 + 2 * (code.charCodeAt(1) - 65);

  function resultOf(change: Partial<GannParams>) {
    const params = { ...DEFAULTS, ...change };
    const day = panel.dayCount - 1;
    const market = trainedMarketOf(table, day, probabilityOf, [], CYCLE_FEATURES);
    return asRead<GannResult>(gannResultOn(panel, market, params).result);
  }

  test('picks meet the minimum cycle score and probability, likeliest first', () => {
    const arbitrary = fc.record({
      min_cycle_score: fc.integer({ min: 0, max: 60 }),
      min_probability: fc.integer({ min: 30, max: 90 }),
      max_picks: fc.integer({ min: 1, max: 20 }),
    });
    fc.assert(
      fc.property(arbitrary, (change) => {
        const { df_result } = resultOf({ ...change, min_daily_val: 1e8 });
        const percents = df_result.map((row) => Number.parseFloat(row['Probability']));
        expect(percents).toEqual(percents.toSorted((a, b) => b - a));
        df_result.forEach((row, i) => {
          expect(percents[i]).toBe(probabilityOf(row['Ticker']));
          expect(percents[i]).toBeGreaterThanOrEqual(change.min_probability);
          expect(row['Cycle Score']).toBeGreaterThanOrEqual(change.min_cycle_score);
        });
      }),
      { numRuns: 25 },
    );
  });

  test('an empty result suggests a lower probability, and no tolerance, whose effect only a new model would tell', () => {
    const strict = { ...WIDE, min_probability: 95 };
    const { empty } = resultOf(strict);
    expect(empty!.message).toMatch(
      /dan 0 di antaranya lolos probabilitas\. Coba longgarkan salah satu saringan/,
    );
    const { why } = empty!.suggestions.find(({ label }) => label === 'Probabilitas minimum')!;
    expect(why).toMatch(/^Nilai tertinggi hari ini .* sehingga ambang 95 menyaring semua saham\. /);
    const labels = empty!.suggestions.map(({ label }) => label);
    expect(labels).not.toContain('Toleransi siklus');
  });
});

describe('learning', () => {
  let usual: GannResult;
  beforeAll(async () => {
    usual = await gannResultOf(panel, WIDE);
  });

  /** The cycle features of the last day, and the key under which a model is kept. */
  function featuresWith(change: Partial<GannParams>) {
    const params = { ...DEFAULTS, ...change };
    const swings = new MarketSwings(panel, panel.dayCount - 1, params.pivot_window);
    const { from, to } = table.rowsOf(panel.dayCount - 1);
    const { key, read } = cycleColumns(swings, params, () => table);
    const columns = CYCLE_FEATURES.map(() => new Float32Array(to - from));
    read(
      Uint32Array.from({ length: to - from }, (_, i) => from + i),
      columns,
    );
    return { key, columns };
  }

  test('gives a probability, a kept model and a description of it', async () => {
    const { result, model } = await runGann(panel, WIDE);
    const { df_result, diag, model_quality } = result as unknown as GannResult;
    expect(df_result.length).toBeGreaterThan(3);
    for (const row of df_result) {
      expect(row['Probability']).toMatch(/^\d+\.\d%$/);
      expect(row['Score']).toBe(Number.parseFloat(row['Probability']));
    }
    expect(model_quality.candidates).toBeGreaterThan(0);
    expect(diag.model).toMatchObject({ fingerprint: model!.fingerprint });
    const names = diag.model!['feature_names'];
    expect(names).toEqual(expect.arrayContaining(['cycle_score', 'sq9_support_gap', 'days_since_swing_low']));
  });

  test.each([
    ['pivot_window', { pivot_window: 20 }],
    ['cycle_tolerance', { cycle_tolerance: 5 }],
    ['price_tolerance_pct', { price_tolerance_pct: 5 }],
    ['cycles', { cycles: [30] }],
    ['target_gain', { target_gain: 0.2 }],
    ['stop_loss', { stop_loss: 0.12 }],
    ['use_ml', { use_ml: false }],
    ['min_cycle_score', { min_cycle_score: 45 }],
  ])('%s changes what is picked', async (_, change) => {
    expect((await gannResultOf(panel, { ...WIDE, ...change })).df_result).not.toEqual(usual.df_result);
  });

  // Whether a tree splits on a feature is up to the market, so the features are compared and not the probabilities.
  test.each([{ pivot_window: 20 }, { cycle_tolerance: 5 }, { price_tolerance_pct: 5 }, { cycles: [30] }])(
    'reads cycles with the setting %o',
    (change) => {
      const [before, other] = [featuresWith({}), featuresWith(change)];
      expect(other.key).not.toBe(before.key);
      expect(other.columns).not.toEqual(before.columns);
    },
  );
});
