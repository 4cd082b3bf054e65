import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyContenders, anyWeights, codes, contender, scores, WEIGHTS } from './contender-fixture.ts';
import { rank } from './strategies.ts';

/** The more probable a name is, the fewer signals it has, so the order shows how each strategy weighs the two. */
const LIKELY = contender('AAAA', 80, 1);
const MIDDLE = contender('BBBB', 72, 2);
const STRONG = contender('CCCC', 66, 4);
const ALL = [STRONG, LIKELY, MIDDLE];

describe('Hybrid Score', () => {
  test('ranks by the weighted sum of probability and signals', () => {
    const ranked = rank('Hybrid Score', ALL, WEIGHTS);
    expect(codes(ranked)).toEqual(['CCCC', 'BBBB', 'AAAA']);
    expect(scores(ranked)).toEqual([79.6, 63.2, 58]);
  });
});

describe('Gated', () => {
  test('ranks by probability, whatever the signals and the weights', () => {
    fc.assert(
      fc.property(anyContenders, anyWeights, (contenders, weights) => {
        const ranked = rank('Gated', contenders, weights);
        const admitted = contenders.filter(({ hit }) => hit.reading.count >= weights.min_signals);
        expect(ranked).toHaveLength(admitted.length);
        expect(scores(ranked)).toEqual(
          admitted.map(({ stock }) => stock.probability).toSorted((a, b) => b - a),
        );
      }),
    );
  });
});

describe('Inverse Signal', () => {
  test('discounts the probability for signals that have already fired', () => {
    const ranked = rank('Inverse Signal', ALL, WEIGHTS);
    expect(codes(ranked)).toEqual(['AAAA', 'BBBB', 'CCCC']);
    expect(scores(ranked)).toEqual(
      [80 * (1 - 0.4 * 0.3 * 0.25), 72 * (1 - 0.4 * 0.3 * 0.5), 66 * (1 - 0.4 * 0.3)].map((score) =>
        Number(score.toFixed(6)),
      ),
    );
  });

  test('ranks by probability when the penalty is 0', () => {
    fc.assert(
      fc.property(anyContenders, anyWeights, (contenders, weights) => {
        expect(codes(rank('Inverse Signal', contenders, { ...weights, signal_penalty: 0 }))).toEqual(
          codes(rank('Gated', contenders, { ...weights, min_signals: 0 })),
        );
      }),
    );
  });

  test('keeps every name and discounts none with fewer signals than min_signals', () => {
    const ranked = rank('Inverse Signal', ALL, { ...WEIGHTS, min_signals: 3 });
    expect(codes(ranked)).toEqual(['AAAA', 'BBBB', 'CCCC']);
    expect(scores(ranked)).toEqual([80, 72, Number((66 * (1 - 0.4 * 0.3)).toFixed(6))]);
  });
});

test.each(['Gated', 'Hybrid Score', 'Intersection'] as const)(
  '%s drops names with fewer signals than min_signals',
  (strategy) => {
    expect(codes(rank(strategy, ALL, { ...WEIGHTS, min_signals: 2 })).toSorted()).toEqual(['BBBB', 'CCCC']);
  },
);

describe('Intersection', () => {
  test('admits only names on both lists and sorts them by their weighted ranks', () => {
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

  test('puts the larger volume first when signals are equal and probabilities are close', () => {
    const [quiet, loud] = [contender('QUIE', 70.1, 3), contender('LOUD', 70, 3, { volumeRatio: 4 })];
    expect(codes(rank('Intersection', [quiet, loud], { ...WEIGHTS, prob_weight: 0.3 }))).toEqual([
      'LOUD',
      'QUIE',
    ]);
  });
});
