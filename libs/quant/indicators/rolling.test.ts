import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sma } from './moving-averages.ts';
import { rollingMax, rollingMin, rollingStdDev, rollingCorrelation, rollingRSquared } from './rolling.ts';

const series = fc.float64Array({ min: 1, max: 1e6, noNaN: true, maxLength: 120 });
const seriesWithGaps = fc
  .array(fc.option(fc.integer({ min: 1, max: 1e6 }), { nil: NaN, freq: 8 }), {
    maxLength: 120,
  })
  .map((values) => Float64Array.from(values));
const periods = fc.integer({ min: 1, max: 30 });

describe('rolling windows', () => {
  test('extremes equal those of each window, and are NaN where the window is short or holds a gap', () => {
    fc.assert(
      fc.property(seriesWithGaps, periods, (values, period) => {
        const [highest, lowest] = [rollingMax(values, period), rollingMin(values, period)];
        for (let i = 0; i < values.length; i++) {
          const window = [...values.subarray(Math.max(0, i - period + 1), i + 1)];
          const full = window.length === period;
          expect(highest[i]).toBe(full ? Math.max(...window) : NaN);
          expect(lowest[i]).toBe(full ? Math.min(...window) : NaN);
        }
      }),
    );
  });

  test('standard deviation equals the two-pass definition, sample and population', () => {
    fc.assert(
      fc.property(series, fc.integer({ min: 2, max: 30 }), fc.constantFrom(0, 1), (values, period, ddof) => {
        rollingStdDev(values, period, ddof).forEach((deviation, i) => {
          if (i < period - 1) return expect(deviation).toBeNaN();
          const window = [...values.subarray(i - period + 1, i + 1)];
          const mean = window.reduce((a, b) => a + b) / period;
          const squares = window.reduce((sum, value) => sum + (value - mean) ** 2, 0);
          expect(deviation).toBeCloseTo(Math.sqrt(squares / (period - ddof)), 1);
        });
      }),
    );
  });

  test('standard deviation keeps its digits for small movements around a large price', () => {
    const values = Float64Array.from({ length: 200 }, (_, i) => 1e9 + (i % 2));
    expect(rollingStdDev(values, 20, 0).at(-1)).toBeCloseTo(0.5, 9);
  });

  test('keep nothing of large values that have left, wherever in the series they were', () => {
    for (let large = 1; large <= 45; large++) {
      const values = Float64Array.from({ length: 90 }, (_, i) => (i < large ? 1e9 * Math.sin(i + 1) : 0));
      for (let i = large + 19; i < 90; i++) {
        expect([sma(values, 20)[i], rollingStdDev(values, 20, 1)[i]]).toEqual([0, 0]);
      }
    }
  });

  test('standard deviation of values that differ by rounding alone is 0', () => {
    const restated = Float64Array.from({ length: 30 }, (_, i) => (i < 14 ? 110 : 73 / (73 / 110)));
    expect(new Set(restated).size).toBe(2);
    expect(rollingStdDev(restated, 20, 0).at(-1)).toBe(0);
    expect(rollingRSquared(restated, 20).at(-1)).toBe(0);
    expect(
      rollingCorrelation(
        restated,
        restated.map((_, i) => i),
        20,
      ).at(-1),
    ).toBe(0);
  });

  test('a sample of one has no deviation', () => {
    expect([...rollingStdDev(Float64Array.of(1, 2), 1, 1)]).toEqual([NaN, NaN]);
    expect([...rollingStdDev(Float64Array.of(1, 2), 1, 0)]).toEqual([0, 0]);
  });
});

/** Anscombe, Graphs in Statistical Analysis, The American Statistician 27 (1973): four sets with one correlation. */
const X = Float64Array.of(10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5);
const Y = Float64Array.of(8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68);
const Y_CURVED = Float64Array.of(9.14, 8.14, 8.74, 8.77, 9.26, 8.1, 6.13, 3.1, 9.13, 7.26, 4.74);

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Pearson correlation by its definition, in two passes. */
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

  test('matches its definition for any window', () => {
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

  test('is 0 when one series is constant and NaN when a value is unknown', () => {
    const flat = new Float64Array(11).fill(7325 * 0.2001366);
    expect(rollingCorrelation(flat, Y, 11)[10]).toBe(0);
    expect(rollingCorrelation(Float64Array.of(1, NaN, 2, 3), Float64Array.of(1, 2, 3, 5), 2)[2]).toBeNaN();
  });
});

/** Textbook form: the share of the variance of the values that the line through them explains. */
function explainedShare(values: number[]): number {
  const times = values.map((_, time) => time);
  const [middle, center] = [mean(times), mean(values)];
  const slope =
    mean(times.map((time, i) => (time - middle) * (values[i]! - center))) /
    mean(times.map((time) => (time - middle) ** 2));
  const residuals = values.map((value, time) => value - center - slope * (time - middle));
  return 1 - mean(residuals.map((r) => r * r)) / mean(values.map((value) => (value - center) ** 2));
}

describe('the line through a window', () => {
  test('matches the textbook formula for any window', () => {
    const anyWalk = fc.tuple(
      fc.integer({ min: 50, max: 60_000 }),
      fc.array(fc.integer({ min: -40, max: 40 }), { minLength: 2, maxLength: 60 }),
    );
    fc.assert(
      fc.property(anyWalk, fc.integer({ min: 2, max: 25 }), ([first, steps], period) => {
        let price = first;
        const values = steps.map((step) => (price += step));
        rollingRSquared(Float64Array.from(values), period).forEach((share, i) => {
          if (i < period - 1) return expect(share).toBeNaN();
          const window = values.slice(i - period + 1, i + 1);
          const isFlat = window.every((value) => value === window[0]);
          expect(share).toBeCloseTo(isFlat ? 0 : explainedShare(window), 8);
        });
      }),
    );
  });

  test('explains all variance of a straight line and none of a constant price', () => {
    const straight = Float64Array.from({ length: 30 }, (_, i) => 7325 + 25 * i);
    expect(rollingRSquared(straight, 20).at(-1)).toBe(1);
    const flat = new Float64Array(30).fill(7325 * 0.2001366);
    expect(rollingRSquared(flat, 20).at(-1)).toBe(0);
  });

  test('is unknown when a value of the window is unknown', () => {
    const rSquared = rollingRSquared(Float64Array.of(1, NaN, 2, 3, 5), 3);
    expect(rSquared[3]).toBeNaN();
    expect(rSquared[4]).toBeCloseTo(27 / 28, 12);
  });
});
