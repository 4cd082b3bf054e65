import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainArithmetic as on, exp, ln, sigmoid, softmax } from './float-functions.ts';

const float = (min: number, max: number) =>
  fc.float({ min: Math.fround(min), max: Math.fround(max), noNaN: true });

describe('functions of 32-bit floats', () => {
  test('exp has a relative error below 2e-7 and is clamped', () => {
    fc.assert(
      fc.property(float(-87, 88), (x) => {
        expect(Math.abs(exp(on, x) / Math.exp(x) - 1)).toBeLessThan(2e-7);
      }),
    );
    expect(exp(on, -1000)).toBe(exp(on, -87));
    expect(exp(on, 1000)).toBe(exp(on, 88));
  });

  test('ln has an error below 2e-7, relative for results above 1', () => {
    fc.assert(
      fc.property(float(2 ** -126, 1e38), (x) => {
        const exact = Math.log(x);
        expect(Math.abs(ln(on, x) - exact)).toBeLessThan(2e-7 * Math.max(1, Math.abs(exact)));
      }),
    );
    expect(ln(on, 1)).toBe(0);
  });

  test('sigmoid is at most 1 and has an error below 1e-7', () => {
    fc.assert(
      fc.property(float(-1000, 1000), (x) => {
        const p = sigmoid(on, x);
        expect(Math.abs(p - 1 / (1 + Math.exp(-x)))).toBeLessThan(1e-7);
        expect(p).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('softmax adds up to 1, whatever the scores', () => {
    fc.assert(
      fc.property(fc.array(float(-1e4, 1e4), { minLength: 2, maxLength: 8 }), (scores) => {
        expect(softmax(on, scores).reduce((a, b) => a + b)).toBeCloseTo(1, 6);
      }),
    );
  });
});

test('nearest rounds halves to even', () => {
  expect([0.5, 1.5, 2.5, -0.5, -1.5, 0.49, -2.51].map((x) => on.nearest(x))).toEqual([
    0, 2, 2, -0, -2, 0, -3,
  ]);
});
