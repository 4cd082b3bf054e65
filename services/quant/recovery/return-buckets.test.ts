import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bucketCutsPct, bucketOf, RETURN_BUCKETS } from './return-buckets.ts';

describe('buckets of returns', () => {
  const nameOf = (returnPct: number, horizonDays = 20) =>
    RETURN_BUCKETS[bucketOf(returnPct, bucketCutsPct(horizonDays))];

  test.each([
    [-10.1, 'CRASH'],
    [-10, 'DECLINE'],
    [-3.1, 'DECLINE'],
    [-3, 'SIDEWAYS'],
    [3, 'SIDEWAYS'],
    [3.1, 'CLIMB'],
    [10, 'CLIMB'],
    [10.1, 'RALLY'],
  ])('over 20 days, %d percent is %s', (returnPct, bucket) => expect(nameOf(returnPct)).toBe(bucket));

  test.each([
    [10, 10 * Math.SQRT1_2],
    [30, 10 * Math.sqrt(1.5)],
    [40, 10 * Math.SQRT2],
  ])('over %d days the outer bound is ±%d percent', (horizonDays, bound) => {
    const cuts = bucketCutsPct(horizonDays);
    for (const [i, wanted] of [-bound, -0.3 * bound, 0.3 * bound, bound].entries())
      expect(cuts[i]).toBeCloseTo(wanted, 9);
  });

  test('a higher return is never in a worse bucket', () => {
    const returnPct = fc.double({ min: -100, max: 300, noNaN: true });
    fc.assert(
      fc.property(returnPct, returnPct, fc.constantFrom(10, 20, 30, 40), (a, b, horizonDays) => {
        const cuts = bucketCutsPct(horizonDays);
        expect(bucketOf(Math.max(a, b), cuts)).toBeGreaterThanOrEqual(bucketOf(Math.min(a, b), cuts));
      }),
    );
  });
});
