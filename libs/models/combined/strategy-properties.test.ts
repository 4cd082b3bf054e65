import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyContenders, anyWeights, codes, contender, scores } from './contender-fixture.ts';
import { STRATEGIES } from './params.ts';
import { compareAll, hybridScore, rank, votes } from './strategies.ts';

describe('every strategy', () => {
  test.each(STRATEGIES)(
    '%s gives scores of 0 to 100, best first, whatever the order of its input',
    (strategy) => {
      fc.assert(
        fc.property(anyContenders, anyWeights, (contenders, weights) => {
          const ranked = rank(strategy, contenders, weights);
          for (const { score } of ranked) {
            expect(score).toBeGreaterThan(0);
            expect(score).toBeLessThanOrEqual(100);
          }
          expect(scores(ranked)).toEqual(scores(ranked).toSorted((a, b) => b - a));
          expect(codes(rank(strategy, contenders.toReversed(), weights))).toEqual(codes(ranked));
        }),
      );
    },
  );

  test('except Inverse Signal ignores signal_penalty', () => {
    fc.assert(
      fc.property(
        anyContenders,
        anyWeights,
        fc.constantFrom(0, 0.5),
        (contenders, weights, signal_penalty) => {
          for (const strategy of STRATEGIES.filter((each) => each !== 'Inverse Signal')) {
            expect(rank(strategy, contenders, { ...weights, signal_penalty })).toEqual(
              rank(strategy, contenders, weights),
            );
          }
        },
      ),
    );
  });
});

describe('Compare All', () => {
  test('is the union of the picks of all four strategies, sorted by votes and then hybrid score', () => {
    fc.assert(
      fc.property(
        anyContenders,
        anyWeights,
        fc.integer({ min: 1, max: 20 }),
        (contenders, weights, max_picks) => {
          const lists = STRATEGIES.map((strategy) =>
            codes(rank(strategy, contenders, weights)).slice(0, max_picks),
          );
          const ranked = compareAll(contenders, { ...weights, max_picks });
          expect(codes(ranked).toSorted()).toEqual([...new Set(lists.flat())].toSorted());
          for (const each of ranked) {
            const { code } = each.stock;
            const places = lists.map((list) => list.indexOf(code) + 1);
            expect(STRATEGIES.map((strategy) => each.places?.[strategy] ?? 0)).toEqual(places);
            expect(votes(each)).toBe(places.filter((place) => place > 0).length);
            expect(each.score).toBe(hybridScore(each, weights));
          }
          ranked.slice(1).forEach((each, i) => {
            const before = ranked[i]!;
            expect(votes(before) - votes(each) || before.score - each.score).toBeGreaterThanOrEqual(0);
          });
        },
      ),
    );
  });

  test('puts a name with more votes before one with a higher hybrid score', () => {
    const three = contender('VOTE', 60, 1);
    const two = contender('HYBR', 59, 3, { isOnBothLists: false });
    const ranked = compareAll([three, two], {
      prob_weight: 0.3,
      signal_penalty: 0.5,
      min_signals: 1,
      max_picks: 1,
    });
    expect(ranked.map((each) => [each.stock.code, votes(each)])).toEqual([
      ['VOTE', 3],
      ['HYBR', 1],
    ]);
    expect(ranked[1]!.score).toBeGreaterThan(ranked[0]!.score);
  });
});
