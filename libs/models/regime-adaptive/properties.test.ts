import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectOrderIsExplained, FEATURES, PICK_ROW } from '../picks/pick-row-fixture.ts';
import { followed, promised } from '../read-result-fixture.ts';
import type { RegimeAdaptiveParams } from './params.ts';
import { history, LAST_DAY, probability, REGIMES, screen } from './regime-adaptive-fixture.ts';

const anyParams: fc.Arbitrary<RegimeAdaptiveParams> = fc.record({
  analysis_date: fc.constant('today'),
  regime: fc.constantFrom('auto', ...REGIMES),
  min_price: fc.constantFrom(50, 200, 1000, 10_000),
  min_daily_val: fc.constantFrom(1e8, 1e9, 1e10, 1e11),
  min_probability: fc.integer({ min: 60, max: 200 }).map((halves) => halves / 2),
  target_gain: fc.double({ min: 0.03, max: 0.3, noNaN: true }),
  stop_loss: fc.double({ min: 0.02, max: 0.15, noNaN: true }),
  horizon_days: fc.integer({ min: 5, max: 40 }),
  train_days: fc.integer({ min: 250, max: 1000 }),
  max_picks: fc.integer({ min: 1, max: 20 }),
});
const anyDay = fc.integer({ min: 150, max: LAST_DAY });
const FEW = { numRuns: 50 };

describe('for any parameters', () => {
  test('every pick meets every floor with exact levels, and there are at most max_picks', () => {
    fc.assert(
      fc.property(anyParams, anyDay, (params, day) => {
        const { df_result, diag, pick_count, levels } = screen(params, day);
        expect(pick_count).toBe(df_result.length);
        expect(pick_count).toBeLessThanOrEqual(diag.max_picks);
        expect(diag.max_picks).toBeLessThanOrEqual(params.max_picks);
        expect(diag.min_probability).toBeGreaterThanOrEqual(params.min_probability);
        expect(levels['target_gain_pct']).toBeCloseTo(params.target_gain * 100, 9);
        for (const row of df_result) {
          const close = row['Entry'] as number;
          expect(close).toBeGreaterThanOrEqual(params.min_price);
          expect(probability(row)).toBeGreaterThanOrEqual(diag.min_probability);
          const exact = (factor: number) => Number((close * factor).toPrecision(12));
          expect(row['Stop']).toBe(exact(1 - params.stop_loss));
          expect(row['Target']).toBe(exact(1 + params.target_gain));
          expect(row['Score']).toBeGreaterThanOrEqual(0);
          expect(row['Score']).toBeLessThanOrEqual(100);
          expect(Math.abs((row['Score'] as number) - probability(row))).toBeLessThan(20.05);
        }
      }),
      FEW,
    );
  });

  test('each funnel step keeps at most as many names as the previous one', () => {
    fc.assert(
      fc.property(anyParams, anyDay, (params, day) => {
        const { diag, pick_count } = screen(params, day);
        expect(diag.total_scanned).toBeGreaterThanOrEqual(diag.total_liquid);
        expect(diag.total_liquid).toBeGreaterThanOrEqual(diag.after_regime);
        expect(diag.after_regime).toBeGreaterThanOrEqual(diag.after_probability);
        expect(diag.total_liquid).toBeGreaterThanOrEqual(diag.after_probability);
        expect(diag.final).toBe(Math.min(diag.after_probability, diag.max_picks));
        expect(pick_count).toBe(diag.final);
      }),
      FEW,
    );
  });

  test('rows have the fields of model A and are ordered by score', () => {
    fc.assert(
      fc.property(anyParams, (params) => {
        const { df_result } = screen(params);
        for (const row of df_result) {
          expect(row).toEqual({
            ...PICK_ROW,
            ...FEATURES,
            'Score From Probability': expect.any(Number) as number,
            'Score From Style': expect.any(Number) as number,
            Regime: params.regime === 'auto' ? history.regime[LAST_DAY] : params.regime.toUpperCase(),
          });
        }
        expectOrderIsExplained(df_result, 'Style');
      }),
      FEW,
    );
  });

  test('the same run gives the same bytes', () => {
    fc.assert(
      fc.property(anyParams, anyDay, (params, day) => {
        expect(JSON.stringify(screen(params, day))).toBe(JSON.stringify(screen(params, day)));
      }),
      FEW,
    );
  });

  test('an empty result gives a reason, and every suggestion lets through as many names as it promises', () => {
    let followedSoFar = 0;
    fc.assert(
      fc.property(anyParams, anyDay, (anything, day) => {
        const params = { ...anything, min_probability: Math.max(90, anything.min_probability) };
        const { empty, pick_count } = screen(params, day);
        expect(empty !== undefined).toBe(pick_count === 0);
        if (!empty) return;
        expect(empty.reason).toBe('no_results');
        const together = empty.message.includes('sekaligus');
        expect(screen({ ...params, ...empty.changes }, day).pick_count).toBeGreaterThan(0);
        const changes = empty.suggestions.map(followed);
        const runs = together ? [Object.assign({}, ...changes) as object] : changes;
        runs.forEach((change, i) => {
          const count = promised(empty.suggestions[i]!);
          expect(count).toBeGreaterThan(0);
          expect(screen({ ...params, ...change }, day).diag.after_probability).toBe(count);
          followedSoFar++;
        });
      }),
      FEW,
    );
    expect(followedSoFar).toBeGreaterThan(20);
  });
});
