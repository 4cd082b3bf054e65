import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  RETURN_BUCKETS,
  aboveFloor,
  directionOf,
  outlookOf,
  trajectoryOf,
  bucketCutsPct,
  bucketOf,
} from './trajectory.ts';

const anyChances = fc
  .array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 5, maxLength: 5 })
  .filter((chances) => chances.reduce((a, b) => a + b) > 1e-6)
  .map((chances) => {
    const total = chances.reduce((a, b) => a + b);
    return Float32Array.from(chances, (chance) => chance / total);
  });

const tenthsOf = (value: number) => Math.round(value * 10);

describe('a trajectory', () => {
  test('rounds any chances to one decimal, adds up to exactly 100 and is off by at most a tenth', () => {
    fc.assert(
      fc.property(anyChances, (chances) => {
        const trajectory = trajectoryOf(chances);
        const values = RETURN_BUCKETS.map((bucket) => trajectory[bucket]);
        expect(values.reduce((sum, value) => sum + tenthsOf(value), 0)).toBe(1_000);
        for (const [i, value] of values.entries()) {
          expect(value).toBe(tenthsOf(value) / 10);
          expect(value).toBeGreaterThanOrEqual(0);
          expect(Math.abs(value - 100 * chances[i]!)).toBeLessThan(0.1001);
        }
      }),
    );
  });

  test('gives leftover tenths to the values that rounding down reduced most', () => {
    expect(trajectoryOf([0.16665, 0.16665, 0.3334, 0.16665, 0.16665])).toEqual({
      CRASH: 16.7,
      DECLINE: 16.7,
      SIDEWAYS: 33.3,
      CLIMB: 16.7,
      RALLY: 16.6,
    });
  });

  test('sums to directions that also add up to 100', () => {
    fc.assert(
      fc.property(anyChances, (chances) => {
        const trajectory = trajectoryOf(chances);
        const { up, down, neutral } = directionOf(trajectory);
        expect(tenthsOf(up) + tenthsOf(down) + tenthsOf(neutral)).toBe(1_000);
        expect(tenthsOf(up)).toBe(tenthsOf(trajectory.CLIMB) + tenthsOf(trajectory.RALLY));
        expect(tenthsOf(down)).toBe(tenthsOf(trajectory.CRASH) + tenthsOf(trajectory.DECLINE));
      }),
    );
  });
});

test.each([
  [45, 30, 'BULLISH'],
  [44.9, 30, 'NEUTRAL'],
  [30, 44.9, 'NEUTRAL'],
  [30, 45, 'BEARISH'],
  [57.6, 42.6, 'BULLISH'],
])('up %d and down %d percent give the outlook %s', (up, down, outlook) => {
  expect(outlookOf({ up, down, neutral: 100 - up - down })).toBe(outlook);
});

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

describe('chances above a floor', () => {
  const floor = fc.record({
    lowestPct: fc.double({ min: -60, max: 0, noNaN: true }),
    passing: fc.double({ min: 0, max: 1, noNaN: true }),
    cuts: fc.constantFrom(10, 20, 30, 40).map(bucketCutsPct),
  });
  const sumOf = (chances: ArrayLike<number>) => Array.from(chances).reduce((a, b) => a + b, 0);

  test('leave below it what passes, at most what was there, and keep every other bucket', () => {
    fc.assert(
      fc.property(anyChances, floor, (chances, { lowestPct, passing, cuts }) => {
        const lowest = bucketOf(lowestPct, cuts);
        const kept = aboveFloor(chances, lowestPct, cuts, passing);
        const below = sumOf(chances.subarray(0, lowest));
        expect(sumOf(kept.slice(0, lowest))).toBeCloseTo(Math.min(passing, below), 9);
        expect(sumOf(kept)).toBeCloseTo(sumOf(chances), 9);
        expect(kept.slice(lowest + 1)).toEqual([...chances.subarray(lowest + 1)]);
        // What passes is shared like the chances were.
        for (let bucket = 0; bucket < lowest; bucket++)
          expect(kept[bucket]! * below).toBeCloseTo(chances[bucket]! * sumOf(kept.slice(0, lowest)), 9);
      }),
    );
  });
});
