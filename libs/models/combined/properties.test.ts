import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectOrderIsExplained } from '../picks/pick-row-fixture.ts';
import { anyParams, compact, full } from './combined-fixture.ts';
import { STRATEGIES, type CombinedParams } from './params.ts';

const FEW = { numRuns: 40 };

describe('for any parameters', () => {
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
            probability: Number.parseFloat(row['Probability']),
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

  test('the signals of a full row are named one by one, and votes are those of the ranks beside them', () => {
    fc.assert(
      fc.property(anyParams, (params) => {
        for (const row of full(params).df_result) {
          const fired = row['Signal Detail'].split('; ').filter((signal) => signal !== '-');
          expect(fired).toHaveLength(row['Signals']);
          const ranks = STRATEGIES.map((strategy) => row[`Rank ${strategy}`]);
          const votes = ranks.filter((rank) => typeof rank === 'number').length;
          if (params.strategy === 'Compare All') expect(row['Strategy Votes']).toBe(votes);
          else expect([row['Strategy Votes'], ...ranks]).toEqual(Array(5).fill(undefined));
        }
      }),
      FEW,
    );
  });

  test('the order is explained by what is shown: the score and its parts, in Compare All after the votes', () => {
    fc.assert(
      fc.property(anyParams, (params) => {
        const { df_result: rows } = full(params);
        const votes = rows.map((row) => row['Strategy Votes'] ?? 0);
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
});
