import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Random } from '#quant/random.ts';
import { mean } from '../market-fixture.ts';
import { fillGumbel, fillNormal, normalQuantile, kthLargest } from './quick-draws.ts';
import { deviation, quantile } from './statistics-fixture.ts';

describe('quick draws', () => {
  test('of the normal distribution have its moments and tails', () => {
    const draws = new Float64Array(200_001);
    fillNormal(new Random(1), draws);
    const values = [...draws];
    expect(mean(values)).toBeCloseTo(0, 1.9);
    expect(deviation(values)).toBeCloseTo(1, 1.9);
    expect(quantile(values, 0.975)).toBeCloseTo(1.96, 1.5);
    expect(quantile(values, 0.001)).toBeCloseTo(-3.09, 0.9);
    // Neighbouring values come from the same word.
    expect(Math.abs(mean(values.slice(1).map((value, i) => value * values[i]!)))).toBeLessThan(0.01);
  });

  test('of the Gumbel distribution have its mean and deviation', () => {
    const draws = new Float64Array(200_000);
    fillGumbel(new Random(2), draws);
    expect(mean(draws)).toBeCloseTo(0.5772, 1.9);
    expect(deviation([...draws])).toBeCloseTo(Math.PI / Math.sqrt(6), 1.9);
  });
});

test.each([
  [0.5, 0],
  [0.975, 1.959963984540054],
  [0.025, -1.959963984540054],
  [0.8413447460685429, 1],
  [1e-4, -3.719016485455709],
])('the normal quantile of %d is %d', (probability, expected) => {
  expect(normalQuantile(probability)).toBeCloseTo(expected, 7);
});

test('the k-th largest matches sorting, even with equal and infinite values', () => {
  // Adding 0 turns -0 into 0: sorting distinguishes them, and comparing numbers does not.
  const value = fc.oneof(fc.double({ noNaN: true }), fc.constantFrom(0, 1, -Infinity)).map((one) => one + 0);
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 120 }), fc.nat(), (values, place) => {
      const k = 1 + (place % values.length);
      const sorted = Float64Array.from(values).sort().reverse();
      expect(kthLargest(Float64Array.from(values), k)).toBe(sorted[k - 1]);
    }),
  );
});
