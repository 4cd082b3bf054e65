import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rollingCorrelation } from './rolling-correlation.ts';

/** Anscombe, Graphs in Statistical Analysis, The American Statistician 27 (1973): four sets with one correlation. */
const X = Float64Array.of(10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5);
const Y = Float64Array.of(8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68);
const Y_CURVED = Float64Array.of(9.14, 8.14, 8.74, 8.77, 9.26, 8.1, 6.13, 3.1, 9.13, 7.26, 4.74);

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Pearson's definition, in two passes. */
function correlation(x: number[], y: number[]): number {
  const [centerX, centerY] = [mean(x), mean(y)];
  const [dx, dy] = [x.map((value) => value - centerX), y.map((value) => value - centerY)];
  const spread = mean(dx.map((d) => d * d)) * mean(dy.map((d) => d * d));
  return spread === 0 ? 0 : mean(dx.map((d, i) => d * dy[i]!)) / Math.sqrt(spread);
}

describe('the correlation of two windows', () => {
  test('agrees with the published example', () => {
    expect(rollingCorrelation(X, Y, 11)[10]).toBeCloseTo(0.81642, 5);
    expect(rollingCorrelation(X, Y_CURVED, 11)[10]).toBeCloseTo(0.81624, 5);
    expect(rollingCorrelation(X, Y, 11)[9]).toBeNaN();
  });

  test('is what its definition gives, of any window', () => {
    const pairs = fc.array(
      fc.record({ x: fc.integer({ min: 50, max: 60_000 }), y: fc.integer({ min: -20, max: 20 }) }),
      { minLength: 3, maxLength: 60 },
    );
    fc.assert(
      fc.property(pairs, fc.integer({ min: 2, max: 25 }), (values, period) => {
        const [x, y] = [values.map((value) => value.x), values.map((value) => value.y)];
        const out = rollingCorrelation(Float64Array.from(x), Float64Array.from(y), period);
        for (let i = 0; i < values.length; i++) {
          if (i < period - 1) expect(out[i]).toBeNaN();
          else {
            const from = i - period + 1;
            const window = (of: number[]) => of.slice(from, i + 1);
            const flat = [x, y].some((of) => window(of).every((value) => value === of[from]));
            expect(out[i]).toBeCloseTo(flat ? 0 : correlation(window(x), window(y)), 6);
            expect(Math.abs(out[i]!)).toBeLessThanOrEqual(1);
          }
        }
      }),
    );
  });

  test('is 0 where one of them never moves, whatever its rounding, and unknown where a value is', () => {
    const flat = new Float64Array(11).fill(7325 * 0.2001366);
    expect(rollingCorrelation(flat, Y, 11)[10]).toBe(0);
    expect(rollingCorrelation(Float64Array.of(1, NaN, 2, 3), Float64Array.of(1, 2, 3, 5), 2)[2]).toBeNaN();
  });
});
