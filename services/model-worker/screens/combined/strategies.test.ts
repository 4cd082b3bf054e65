import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { STRATEGIES } from './params.ts';
import { compareAll, hybridScore, rank, votes, type Contender } from './strategies.ts';

interface Given {
  isOnBothLists: boolean;
  volumeRatio: number;
}

/** A name with a probability in percent and a number of signals; the volume decides between as many signals. */
function contender(code: string, probability: number, signals: number, more: Partial<Given> = {}): Contender {
  const { isOnBothLists = true, volumeRatio = 1 } = more;
  const name = { code, ticker: 0, close: 1000, averageValue: 1e10 };
  const barsAgo = { stochastic: null, macd: null, ma_cross: null, volume: null };
  return {
    stock: { ...name, row: 0, panelRow: 0, probability, chance: probability / 100 },
    hit: { stock: name, reading: { count: signals, barsAgo, volumeRatio } },
    isOnBothLists,
  };
}

const WEIGHTS = { prob_weight: 0.6, signal_penalty: 0.3 };
const codes = (ranked: { contender: Contender }[]) => ranked.map((each) => each.contender.stock.code);
const scores = (ranked: { score: number }[]) => ranked.map(({ score }) => Number(score.toFixed(6)));

/** The likelier a name is, the fewer signals it has: what each strategy does with them shows in the order. */
const LIKELY = contender('AAAA', 80, 1);
const MIDDLE = contender('BBBB', 72, 2);
const STRONG = contender('CCCC', 66, 4);
const ALL = [STRONG, LIKELY, MIDDLE];

const anyContenders = fc
  .uniqueArray(
    fc.record({
      code: fc.stringMatching(/^[A-Z]{4}$/),
      probability: fc.integer({ min: 300, max: 1000 }).map((tenths) => tenths / 10),
      signals: fc.integer({ min: 1, max: 4 }),
      isOnBothLists: fc.boolean(),
      volumeRatio: fc.constantFrom(0.5, 1, 2),
    }),
    { selector: ({ code }) => code, maxLength: 30 },
  )
  .map((list) =>
    list.map(({ code, probability, signals, ...more }) => contender(code, probability, signals, more)),
  );
const anyWeights = fc.record({
  prob_weight: fc.double({ min: 0.3, max: 0.8, noNaN: true }),
  signal_penalty: fc.double({ min: 0, max: 0.5, noNaN: true }),
});

describe('Hybrid Score', () => {
  test('ranks by the weighted sum of probability and signals', () => {
    const ranked = rank('Hybrid Score', ALL, WEIGHTS);
    expect(codes(ranked)).toEqual(['CCCC', 'BBBB', 'AAAA']);
    expect(scores(ranked)).toEqual([79.6, 63.2, 58]);
    expect(
      codes(
        rank('Hybrid Score', [contender('A', 80, 3), contender('B', 50, 4)], {
          ...WEIGHTS,
          prob_weight: 0.3,
        }),
      ),
    ).toEqual(['B', 'A']);
    expect(
      codes(
        rank('Hybrid Score', [contender('A', 80, 3), contender('B', 50, 4)], {
          ...WEIGHTS,
          prob_weight: 0.8,
        }),
      ),
    ).toEqual(['A', 'B']);
  });
});

describe('Gated', () => {
  test('ranks by probability, whatever the signals and the weights', () => {
    fc.assert(
      fc.property(anyContenders, anyWeights, (contenders, weights) => {
        const ranked = rank('Gated', contenders, weights);
        expect(ranked).toHaveLength(contenders.length);
        expect(scores(ranked)).toEqual(
          contenders.map(({ stock }) => stock.probability).toSorted((a, b) => b - a),
        );
      }),
    );
  });
});

describe('Inverse Signal', () => {
  test('takes from the probability what signals have confirmed already', () => {
    const ranked = rank('Inverse Signal', ALL, WEIGHTS);
    expect(codes(ranked)).toEqual(['AAAA', 'BBBB', 'CCCC']);
    expect(scores(ranked)).toEqual(
      [80 * (1 - 0.4 * 0.3 * 0.25), 72 * (1 - 0.4 * 0.3 * 0.5), 66 * (1 - 0.4 * 0.3)].map((score) =>
        Number(score.toFixed(6)),
      ),
    );
  });

  test('between two as likely prefers the one with fewer signals, more so with a higher penalty', () => {
    const [few, many] = [contender('FEWS', 70, 1), contender('MANY', 74, 4)];
    expect(codes(rank('Inverse Signal', [few, many], { ...WEIGHTS, signal_penalty: 0.1 }))).toEqual([
      'MANY',
      'FEWS',
    ]);
    expect(codes(rank('Inverse Signal', [few, many], { ...WEIGHTS, signal_penalty: 0.5 }))).toEqual([
      'FEWS',
      'MANY',
    ]);
    expect(codes(rank('Inverse Signal', [few, many], { prob_weight: 0.8, signal_penalty: 0.3 }))).toEqual([
      'MANY',
      'FEWS',
    ]);
    expect(codes(rank('Inverse Signal', [few, many], { prob_weight: 0.3, signal_penalty: 0.3 }))).toEqual([
      'FEWS',
      'MANY',
    ]);
  });

  test('without a penalty is the order of probabilities', () => {
    fc.assert(
      fc.property(anyContenders, anyWeights, (contenders, weights) => {
        expect(codes(rank('Inverse Signal', contenders, { ...weights, signal_penalty: 0 }))).toEqual(
          codes(rank('Gated', contenders, weights)),
        );
      }),
    );
  });
});

describe('Intersection', () => {
  test('admits only names on both lists and ranks by their weighted places', () => {
    const off = contender('DDDD', 95, 4, { isOnBothLists: false });
    const ranked = rank('Intersection', [...ALL, off], WEIGHTS);
    // By probability A, B, C; by signals C, B, A.
    expect(codes(ranked)).toEqual(['AAAA', 'BBBB', 'CCCC']);
    expect(scores(ranked)).toEqual(
      [100 * (1 - 0.8 / 3), 100 * (1 - 1 / 3), 100 * (1 - 1.2 / 3)].map((score) => Number(score.toFixed(6))),
    );
    expect(codes(rank('Intersection', [...ALL, off], { ...WEIGHTS, prob_weight: 0.3 }))).toEqual([
      'CCCC',
      'BBBB',
      'AAAA',
    ]);
  });

  test('puts the larger volume first where probabilities differ by little and signals not at all', () => {
    const [quiet, loud] = [contender('QUIE', 70.1, 3), contender('LOUD', 70, 3, { volumeRatio: 4 })];
    expect(codes(rank('Intersection', [quiet, loud], { ...WEIGHTS, prob_weight: 0.3 }))).toEqual([
      'LOUD',
      'QUIE',
    ]);
  });
});

describe('every strategy', () => {
  test.each(STRATEGIES)(
    '%s keeps scores within 0 to 100, best first, in an order that input order does not change',
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

  test('but Inverse Signal does not know the penalty', () => {
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
  test('is the union of what the four would pick, by votes and then by hybrid score', () => {
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
            const { code } = each.contender.stock;
            const places = lists.map((list) => list.indexOf(code) + 1);
            expect(STRATEGIES.map((strategy) => each.places?.[strategy] ?? 0)).toEqual(places);
            expect(votes(each)).toBe(places.filter((place) => place > 0).length);
            expect(each.score).toBe(hybridScore(each.contender, weights));
          }
          ranked.slice(1).forEach((each, i) => {
            const before = ranked[i]!;
            expect(votes(before) - votes(each) || before.score - each.score).toBeGreaterThanOrEqual(0);
          });
        },
      ),
    );
  });

  test('a name that more strategies pick comes before one with a higher hybrid score', () => {
    const three = contender('VOTE', 60, 1);
    const two = contender('HYBR', 59, 3, { isOnBothLists: false });
    const ranked = compareAll([three, two], { prob_weight: 0.3, signal_penalty: 0.5, max_picks: 1 });
    expect(ranked.map((each) => [each.contender.stock.code, votes(each)])).toEqual([
      ['VOTE', 3],
      ['HYBR', 1],
    ]);
    expect(ranked[1]!.score).toBeGreaterThan(ranked[0]!.score);
  });
});
