import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nearestLevels } from './square-of-nine.ts';

function levels(close: number, swingLow: number, swingHigh: number) {
  const out = { support: 0, resistance: 0 };
  nearestLevels(close, swingLow, swingHigh, out);
  return out;
}

describe('levels', () => {
  test('up from a low of 81: its root 9 grows by a quarter every 45 degrees', () => {
    expect(levels(84, 81, NaN)).toEqual({ support: NaN, resistance: 9.25 ** 2 });
    expect(levels(86, 81, NaN)).toEqual({ support: 9.25 ** 2, resistance: 9.5 ** 2 });
    expect(levels(120, 81, NaN)).toEqual({ support: 10.75 ** 2, resistance: 11 ** 2 });
  });

  test('end after a full turn: the root is then 2 larger, or 2 smaller', () => {
    expect(levels(130, 81, NaN)).toEqual({ support: 121, resistance: NaN });
    expect(levels(40, NaN, 81)).toEqual({ support: NaN, resistance: 49 });
  });

  test('down from a high of 1,600, which counts as 16 with the root 4', () => {
    expect(levels(1_300, NaN, 1_600)).toEqual({ support: 100 * 3.5 ** 2, resistance: 100 * 3.75 ** 2 });
    expect(levels(1_500, NaN, 1_600)).toEqual({ support: 100 * 3.75 ** 2, resistance: NaN });
  });

  test('of both pivots together are the nearest of all', () => {
    // Up from 1,600 (root 4): 1806.25, 2025, 2256.25 … Down from 2,500 (root 5): 2256.25, 2025 …
    expect(levels(2_100, 1_600, 2_500)).toEqual({ support: 2_025, resistance: 2_256.25 });
    // Up from 1,500 (root √15 = 3.8729833): 1699.90, 1912.30, 2137.1975 …
    expect(levels(2_100, 1_500, 2_500).support).toBe(2_025);
    expect(levels(2_100, 1_500, 2_500).resistance).toBeCloseTo(2_137.1975, 4);
  });

  test('a close right on a level has it for support', () => {
    expect(levels(2_025, 1_600, NaN)).toEqual({ support: 2_025, resistance: 2_256.25 });
  });

  test('there are none without pivots', () => {
    expect(levels(1_000, NaN, NaN)).toEqual({ support: NaN, resistance: NaN });
  });
});

const price = fc.integer({ min: 50, max: 200_000 });

test('supports are never above the close and resistances always are', () => {
  fc.assert(
    fc.property(price, price, price, (close, low, high) => {
      const { support, resistance } = levels(close, low, high);
      if (!Number.isNaN(support)) expect(support).toBeLessThanOrEqual(close);
      if (!Number.isNaN(resistance)) expect(resistance).toBeGreaterThan(close);
    }),
  );
});

test('prices ten times as high have levels ten times as high', () => {
  fc.assert(
    fc.property(price, price, price, (close, low, high) => {
      const [one, ten] = [levels(close, low, high), levels(10 * close, 10 * low, 10 * high)];
      if (!Number.isNaN(one.support)) expect(ten.support / one.support).toBeCloseTo(10, 9);
      if (!Number.isNaN(one.resistance)) expect(ten.resistance / one.resistance).toBeCloseTo(10, 9);
    }),
  );
});
