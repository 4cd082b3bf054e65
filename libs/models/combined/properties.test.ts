import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectOrderIsExplained, FEATURES, PICK_ROW } from '../picks/pick-row-fixture.ts';
import { followed, promised } from '../read-result-fixture.ts';
import { compact, EVERY_STRATEGY, full, market, screen } from './combined-fixture.ts';
import { STRATEGIES, type CombinedParams } from './params.ts';

const anyParams: fc.Arbitrary<CombinedParams> = fc.record({
  analysis_date: fc.constant('today'),
  min_price: fc.constantFrom(100, 500, 5000),
  min_daily_val: fc.constantFrom(1e8, 1e9, 1e10, 1e11),
  min_probability: fc.integer({ min: 60, max: 200 }).map((halves) => halves / 2),
  min_signals: fc.integer({ min: 1, max: 4 }),
  prob_weight: fc.double({ min: 0.3, max: 0.8, noNaN: true }),
  signal_penalty: fc.double({ min: 0, max: 0.5, noNaN: true }),
  strategy: fc.constantFrom(...EVERY_STRATEGY),
  target_gain: fc.double({ min: 0.05, max: 0.3, noNaN: true }),
  stop_loss: fc.double({ min: 0.02, max: 0.15, noNaN: true }),
  max_picks: fc.integer({ min: 1, max: 20 }),
});
const FEW = { numRuns: 40 };

describe('for any parameters', () => {
  test('every pick meets every floor, and there are at most max_picks', () => {
    fc.assert(
      fc.property(anyParams, (params) => {
        const { picks, pick_count } = compact(params);
        expect(picks).toHaveLength(pick_count);
        expect(pick_count).toBeLessThanOrEqual(params.max_picks);
        for (const pick of picks) {
          expect(pick.close).toBeGreaterThanOrEqual(params.min_price);
          expect(pick.probability).toBeGreaterThanOrEqual(params.min_probability);
          if (params.strategy !== 'Inverse Signal' && params.strategy !== 'Compare All')
            expect(pick.signals).toBeGreaterThanOrEqual(params.min_signals);
          expect(averageValueOf(pick.ticker)).toBeGreaterThanOrEqual(params.min_daily_val);
        }
      }),
      FEW,
    );
  });

  test('stop and target are exact products of the close and the reported levels', () => {
    fc.assert(
      fc.property(anyParams, (params) => {
        const { picks, levels } = compact(params);
        expect(levels['target_gain_pct']).toBeCloseTo(params.target_gain * 100, 9);
        expect(levels['stop_loss_pct']).toBeCloseTo(params.stop_loss * 100, 9);
        for (const { close, stop, target, entry_low, entry_high } of picks) {
          const exact = (factor: number) => Number((close * factor).toPrecision(12));
          expect(stop).toBe(exact(1 - params.stop_loss));
          expect(target).toBe(exact(1 + params.target_gain));
          expect(entry_low).toBe(exact(1 - levels['entry_spread_pct']! / 100));
          expect(entry_high).toBe(exact(1 + levels['entry_spread_pct']! / 100));
        }
      }),
      FEW,
    );
  });

  test('each funnel step keeps at most as many names as the previous one', () => {
    fc.assert(
      fc.property(anyParams, (params) => {
        const { funnel, pick_count } = compact(params);
        expect(funnel.total_liquid).toBeGreaterThanOrEqual(funnel.after_probability);
        expect(funnel.after_probability).toBeGreaterThanOrEqual(funnel.after_signals);
        expect(funnel.after_signals).toBeGreaterThanOrEqual(funnel.final);
        expect(funnel.final).toBe(pick_count);
      }),
      FEW,
    );
  });

  test('the compact view has the fields of the contract and agrees with the full view', () => {
    fc.assert(
      fc.property(anyParams, (params) => {
        const [short, long] = [compact(params), full(params)];
        expect(short).toEqual({
          model_id: 'model_f_combined',
          view: 'compact',
          as_of: '2026-09-30',
          pick_count: short.picks.length,
          levels: {
            target_gain_pct: expect.any(Number) as number,
            stop_loss_pct: expect.any(Number) as number,
            entry_spread_pct: 1,
          },
          picks: long.df_result.map((row) => ({
            ticker: row['Ticker'],
            rank: row['Rank'],
            close: row['Entry'],
            probability: Number.parseFloat(row['Probability'] as string),
            win_chance_pct: row['win_chance_pct'],
            base_rate_pct: 50,
            score: row['Score'],
            score_from_probability: row['Score From Probability'],
            score_from_signals: row['Score From Signals'],
            ...('Strategy Votes' in row ? { strategy_votes: row['Strategy Votes'] } : {}),
            signals: row['Signals'],
            tick_prices: {
              entry_low: expect.any(Number) as number,
              entry_high: expect.any(Number) as number,
              stop: row['Stop Tick'],
              target: row['Target Tick'],
            },
            entry_low: expect.any(Number) as number,
            entry_high: expect.any(Number) as number,
            stop: row['Stop'],
            target: row['Target'],
            reasons: row['reasons'],
          })),
          model_quality: long.model_quality,
          notice: expect.anything() as string,
          funnel: {
            total_scanned: long.diag.total_scanned,
            total_liquid: long.diag.total_liquid,
            after_probability: long.diag.after_probability,
            after_signals: long.diag.after_signals,
            final: long.diag.final,
          },
          ...(short.picks.length === 0 ? { empty: long.empty } : {}),
        });
        expect(long).toMatchObject({ pick_count: short.pick_count, levels: short.levels });
      }),
      FEW,
    );
  });

  test('every field of every full row has its type and format', () => {
    fc.assert(
      fc.property(anyParams, (params) => {
        for (const row of full(params).df_result) {
          const { 'Strategy Votes': votes, ...more } = row;
          const ranks = STRATEGIES.map((strategy) => more[`Rank ${strategy}`]);
          for (const strategy of STRATEGIES) delete more[`Rank ${strategy}`];
          expect(more).toEqual({
            ...PICK_ROW,
            ...FEATURES,
            'Score From Probability': expect.any(Number) as number,
            'Score From Signals': expect.any(Number) as number,
            Signals: expect.any(Number) as number,
            'Signal Detail': expect.stringMatching(/\S/) as string,
            'Hybrid Score': expect.any(Number) as number,
            Strategy: params.strategy,
          });
          const fired = (more['Signal Detail'] as string).split('; ').filter((signal) => signal !== '-');
          expect(fired).toHaveLength(more['Signals'] as number);
          if (params.strategy !== 'Compare All')
            expect([votes, ...ranks]).toEqual([undefined, undefined, undefined, undefined, undefined]);
          else expect(votes).toBe(ranks.filter((rank) => typeof rank === 'number').length);
        }
      }),
      FEW,
    );
  });

  test('the order is explained by what is shown: the score and its parts, in Compare All after the votes', () => {
    fc.assert(
      fc.property(anyParams, (params) => {
        const { df_result: rows } = full(params);
        const votes = rows.map((row) => (row['Strategy Votes'] as number | undefined) ?? 0);
        expect(votes).toEqual(votes.toSorted((a, b) => b - a));
        expect(rows.map((row) => row['Rank'])).toEqual(rows.map((_, i) => i + 1));
        for (const of of Map.groupBy(rows, (row) => row['Strategy Votes']).values()) {
          expectOrderIsExplained(
            of.map((row, i) => ({ ...row, Rank: i + 1 })),
            'Signals',
          );
        }
      }),
      FEW,
    );
  });

  test('signals add to the score of Hybrid Score, take from that of Inverse Signal, and leave that of Gated', () => {
    const signs = (strategy: CombinedParams['strategy']) =>
      compact({ strategy, min_signals: 1, min_probability: 30, max_picks: 20 })
        .picks.filter(({ signals }) => signals > 0)
        .map(({ score_from_signals }) => Math.sign(score_from_signals));
    expect(new Set(signs('Hybrid Score'))).toEqual(new Set([1]));
    expect(new Set(signs('Inverse Signal'))).toEqual(new Set([-1]));
    expect(new Set(signs('Gated'))).toEqual(new Set([0]));
  });

  test('the same run gives the same bytes', () => {
    fc.assert(
      fc.property(anyParams, (params) => {
        expect(JSON.stringify(screen(params))).toBe(JSON.stringify(screen(params)));
      }),
      FEW,
    );
  });

  test('an empty result gives a reason, and every suggestion lets through as many names as it promises', () => {
    let followedSoFar = 0;
    fc.assert(
      fc.property(anyParams, (anything) => {
        const params = { ...anything, min_probability: Math.max(85, anything.min_probability) };
        const { empty, pick_count, funnel } = compact(params);
        expect(empty !== undefined).toBe(pick_count === 0);
        if (!empty) return;
        expect(empty).toMatchObject({ reason: 'no_results', funnel });
        expect(empty.message).toMatch(
          /^Tidak ada saham yang memenuhi semua kriteria pada 30 September 2026\. Dari /,
        );
        const together = empty.message.includes('sekaligus');
        expect(compact({ ...params, ...empty.changes }).pick_count).toBeGreaterThan(0);
        expect(empty.suggestions.every(({ current, suggested }) => current !== suggested)).toBe(true);
        const changes = empty.suggestions.map(followed);
        const runs = together ? [Object.assign({}, ...changes) as object] : changes;
        runs.forEach((change, i) => {
          const after = compact({ ...params, ...change });
          const count = promised(empty.suggestions[i]!);
          expect(count).toBeGreaterThan(0);
          expect(after.pick_count).toBe(Math.min(count, params.max_picks));
          if (params.strategy !== 'Intersection') expect(after.funnel.after_signals).toBe(count);
          followedSoFar++;
        });
      }),
      FEW,
    );
    expect(followedSoFar).toBeGreaterThan(20);
  });
});

function averageValueOf(code: string): number {
  return market.stocks.find((stock) => stock.code === code)!.averageValue;
}
