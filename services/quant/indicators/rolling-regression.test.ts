import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rollingRegression } from './rolling-regression.ts';

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The textbook form: covariance with time over the variance of time, and what part of the variance the line explains. */
function line(values: number[]): { slope: number; rSquared: number } {
  const times = values.map((_, time) => time);
  const [middle, center] = [mean(times), mean(values)];
  const slope =
    mean(times.map((time, i) => (time - middle) * (values[i]! - center))) /
    mean(times.map((time) => (time - middle) ** 2));
  const residuals = values.map((value, time) => value - center - slope * (time - middle));
  const [left, all] = [mean(residuals.map((r) => r * r)), mean(values.map((value) => (value - center) ** 2))];
  return { slope, rSquared: 1 - left / all };
}

describe('the line through a window', () => {
  test('has the slope and the share of variance that are worked out by hand', () => {
    // Deviations of time -2 … 2 times values: 8, over 10; 8² over 10 × 10.
    const { slope, rSquared } = rollingRegression(Float64Array.of(9, 1, 3, 2, 5, 4), 5);
    expect([...slope.slice(0, 4)]).toEqual([NaN, NaN, NaN, NaN]);
    expect(slope[5]).toBeCloseTo(0.8, 12);
    expect(rSquared[5]).toBeCloseTo(0.64, 12);
  });

  test('is what its textbook form gives, of any window', () => {
    const anyWalk = fc.tuple(
      fc.integer({ min: 50, max: 60_000 }),
      fc.array(fc.integer({ min: -40, max: 40 }), { minLength: 2, maxLength: 60 }),
    );
    fc.assert(
      fc.property(anyWalk, fc.integer({ min: 2, max: 25 }), ([first, steps], period) => {
        let price = first;
        const values = steps.map((step) => (price += step));
        const { slope, rSquared } = rollingRegression(Float64Array.from(values), period);
        for (let i = 0; i < values.length; i++) {
          if (i < period - 1) {
            expect([slope[i], rSquared[i]]).toEqual([NaN, NaN]);
            continue;
          }
          const window = values.slice(i - period + 1, i + 1);
          const expected = line(window);
          const isFlat = window.every((value) => value === window[0]);
          expect(slope[i]).toBeCloseTo(expected.slope, 8);
          expect(rSquared[i]).toBeCloseTo(isFlat ? 0 : expected.rSquared, 8);
        }
      }),
    );
  });

  test('explains all of a straight line and nothing of a price that never moves, whatever its rounding', () => {
    const straight = Float64Array.from({ length: 30 }, (_, i) => 7325 + 25 * i);
    expect(rollingRegression(straight, 20).rSquared.at(-1)).toBe(1);
    const flat = new Float64Array(30).fill(7325 * 0.2001366);
    expect(rollingRegression(flat, 20).slope.at(-1)).toBe(0);
    expect(rollingRegression(flat, 20).rSquared.at(-1)).toBe(0);
  });

  test('is not known where a value of the window is not, nor for a window of one', () => {
    const { slope, rSquared } = rollingRegression(Float64Array.of(1, NaN, 2, 3, 5), 3);
    expect([slope[3], rSquared[3]]).toEqual([NaN, NaN]);
    expect(slope[4]).toBeCloseTo(1.5, 12);
    expect([...rollingRegression(Float64Array.of(1, 2), 1).slope]).toEqual([NaN, NaN]);
  });
});
