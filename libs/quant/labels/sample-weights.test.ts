import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { averageUniqueness, HALF_LIFE_DAYS, type LabelSpans, sampleWeights } from './sample-weights.ts';

const spans = fc
  .array(fc.tuple(fc.nat(3), fc.integer({ min: 5, max: 30 }), fc.integer({ min: 1, max: 10 })), {
    minLength: 1,
    maxLength: 40,
  })
  .map((labels): LabelSpans => ({
    ticker: labels.map(([ticker]) => ticker),
    from: labels.map(([, from]) => from),
    to: labels.map(([, from, length]) => from + length),
  }));

/** Uniqueness by the definition, day by day. */
function naiveUniqueness({ ticker, from, to }: LabelSpans): number[] {
  const labels = Array.from(from, (_, i) => i);
  const looksAt = (i: number, day: number) => from[i]! < day && day <= to[i]!;
  return labels.map((i) => {
    let sum = 0;
    for (let day = from[i]! + 1; day <= to[i]!; day++)
      sum += 1 / labels.filter((j) => ticker[j] === ticker[i] && looksAt(j, day)).length;
    return sum / (to[i]! - from[i]!);
  });
}

describe('average uniqueness', () => {
  test('counts the days that labels of the same stock share', () => {
    // Days 11-12 belong to the first label, 13-14 to both, 15-16 to the second.
    const shared = { ticker: [0, 0, 1], from: [10, 12, 12], to: [14, 16, 16] };
    expect([...averageUniqueness(shared)]).toEqual([0.75, 0.75, 1]);
  });

  test('is the mean of 1 / concurrent labels of the same stock', () => {
    fc.assert(
      fc.property(spans, (labels) => {
        const expected = naiveUniqueness(labels);
        for (const [i, value] of averageUniqueness(labels).entries()) {
          expect(value).toBeCloseTo(expected[i]!, 9);
          expect(value).toBeGreaterThan(0);
          expect(value).toBeLessThanOrEqual(1 + 1e-9);
        }
      }),
    );
  });

  test('refuses a label that spans no day', () => {
    expect(() => averageUniqueness({ ticker: [0], from: [5], to: [5] })).toThrow('label 0');
  });

  test('is empty for no labels', () => {
    expect(averageUniqueness({ ticker: [], from: [], to: [] })).toHaveLength(0);
  });
});

describe('sample weights', () => {
  test('halve with every half-life before the newest label', () => {
    const day = (halfLives: number) => 1_000 - halfLives * HALF_LIFE_DAYS;
    const from = [day(2), day(1), day(0)];
    const [oldest, older, newest] = sampleWeights({ ticker: [0, 0, 0], from, to: from.map((d) => d + 5) });
    expect(newest! / older!).toBeCloseTo(2, 12);
    expect(newest! / oldest!).toBeCloseTo(4, 12);
  });

  test('are positive and unaffected by labels that begin after they end', () => {
    fc.assert(
      fc.property(spans, fc.integer({ min: 5, max: 40 }), (labels, day) => {
        const known = Array.from(labels.from, (_, i) => i).filter((i) => labels.from[i]! < day);
        const at = (values: ArrayLike<number>) => known.map((i) => values[i]!);
        const weights = sampleWeights(labels);
        const without = sampleWeights({
          ticker: at(labels.ticker),
          from: at(labels.from),
          to: at(labels.to),
        });
        for (const [place, i] of known.entries()) {
          expect(weights[i]).toBeGreaterThan(0);
          if (labels.to[i]! <= day) expect(without[place]).toBe(weights[i]);
        }
      }),
    );
  });
});
