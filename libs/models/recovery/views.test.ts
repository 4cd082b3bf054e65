import { describe, expect, test } from 'vitest';
import { shareBelowFloor } from '#quant/recovery/forward-path.ts';
import { bucketCutsPct, bucketOf, RETURN_BUCKETS } from '#quant/recovery/trajectory.ts';
import { AS_OF, day, known, panel, params, positions } from './held-fixture.ts';
import { compactOf, fullOf } from './recovery-fixture.ts';

describe('the compact view', () => {
  test('is consistent: sums of chances, sides of the price and days within the horizon', async () => {
    for (const horizon of [10, 40] as const) {
      const result = await compactOf(panel, { ...params, horizon });
      for (const position of result.positions) {
        const { trajectory, probabilities, restore_target, support_level, exit_window } = position;
        const chances = RETURN_BUCKETS.map((bucket) => trajectory[bucket]);
        expect(chances.reduce((a, b) => a + b)).toBeCloseTo(100, 6);
        // As much of the chances lies below the floor of the regular board as stocks near it fell through it, but for rounding.
        const lowest = 100 * (50 / position.current_price - 1);
        const cuts = bucketCutsPct(horizon);
        const beyond = chances.slice(0, bucketOf(lowest, cuts)).reduce((a, b) => a + b, 0);
        expect(beyond).toBeLessThanOrEqual(100 * shareBelowFloor(panel, day, horizon) + 0.2);
        for (const chance of chances.slice(bucketOf(lowest, cuts))) expect(chance).toBeGreaterThan(0);
        expect(probabilities.up).toBeCloseTo(trajectory.CLIMB + trajectory.RALLY, 6);
        expect(restore_target.price).toBeGreaterThan(position.current_price);
        expect(restore_target.change_pct).toBeGreaterThan(0);
        if (position.bucket === 'loser') expect(restore_target.price).toBeLessThanOrEqual(position.avg_price);
        expect(support_level.price).toBeLessThan(position.current_price);
        expect(support_level.change_pct).toBeLessThan(0);
        expect(exit_window.day_from).toBeGreaterThanOrEqual(1);
        expect(exit_window.day_to).toBeGreaterThanOrEqual(exit_window.day_from);
        expect(exit_window.day_to).toBeLessThanOrEqual(horizon);
      }
      const { total, winners, neutral, losers } = result.summary;
      expect([total, winners, neutral, losers]).toEqual([24, 8, 8, 8]);
    }
  });

  test('targets the average price of a loser when it is near, and otherwise what prices reach', async () => {
    const ticker = known[0]!;
    const result = await compactOf(panel, {
      ...params,
      positions: [-2.5, -90, 10].map((pnl_input) => ({ ticker, pnl_input })),
    });
    const [near, far, winner] = result.positions;
    expect(near!.restore_target.price).toBe(near!.avg_price);
    expect(far!.restore_target).toEqual(winner!.restore_target);
    expect(near!.exit_window.day_from).toBeLessThanOrEqual(far!.exit_window.day_from);
  });
});

describe('the full view', () => {
  test('shows the numbers of the compact view and every feature as a number', async () => {
    const [full, compact] = [await fullOf(panel, params), await compactOf(panel, params)];
    expect([full.as_of, full.horizon_days, full.summary]).toEqual([
      compact.as_of,
      compact.horizon_days,
      compact.summary,
    ]);
    const number = (text: unknown) => Number.parseFloat((text as string).replaceAll(/[,%]/g, ''));
    for (const [i, row] of full.df_result.entries()) {
      const position = compact.positions[i]!;
      expect([row['Ticker'], row['Outlook'], row['Bucket'], row['Reason']]).toEqual([
        position.ticker,
        position.outlook,
        position.bucket,
        position.reason,
      ]);
      for (const bucket of RETURN_BUCKETS) expect(number(row[bucket])).toBe(position.trajectory[bucket]);
      expect(number(row['Prob Up'])).toBe(position.probabilities.up);
      expect(number(row['P/L'])).toBeCloseTo(position.pnl_pct, 9);
      expect(number(row['Last Close'])).toBe(position.current_price);
      expect(Math.abs(number(row['Restore Target']) - position.restore_target.price)).toBeLessThanOrEqual(
        0.5,
      );
      expect(number(row['Support Level'])).toBe(position.support_level.price);
      const { day_from, day_to } = position.exit_window;
      expect(row['Exit Window']).toBe(`${day_from}-${day_to} hari`);
      for (const feature of full.diag.model.feature_names)
        expect(row).toHaveProperty([feature], expect.any(Number));
    }
  });

  test('reports the training window, the quality and how many positions were judged', async () => {
    const { diag, model_quality, pick_count, target_date } = await fullOf(panel, {
      ...params,
      positions: [...positions, { ticker: 'XXXX', pnl_input: 1 }],
    });
    expect(diag).toMatchObject({ total: 25, known: 24, evaluated: 24, final: 24 });
    expect([pick_count, target_date]).toEqual([24, AS_OF]);
    const { training, fingerprint } = diag.model;
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(panel.dayOnOrBefore(training.to)).toBe(day - 20 - 5);
    expect(Object.values(training.base_rates_pct).reduce((a, b) => a + b)).toBeCloseTo(100, 6);
    expect(model_quality.brier_skill).toBeCloseTo(
      1 - model_quality.brier_score! / model_quality.climatology_brier_score!,
      3,
    );
    expect(model_quality.candidates).toBeGreaterThan(0);
    expect(model_quality.candidates).toBeLessThan(training.rows);
  });
});
