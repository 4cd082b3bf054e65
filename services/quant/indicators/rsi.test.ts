import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rsi } from './rsi.ts';

/** StockCharts ChartSchool, "Relative Strength Index (RSI)": 33 closes with their 14-day index. */
const CLOSE = Float64Array.of(
  ...[44.3389, 44.0902, 44.1497, 43.6124, 44.3278, 44.8264, 45.0955, 45.4245, 45.8433, 46.0826, 45.8931],
  ...[46.0328, 45.614, 46.282, 46.282, 46.0028, 46.0328, 46.4116, 46.2222, 45.6439, 46.2122, 46.2521],
  ...[45.7137, 46.4515, 45.7835, 45.3548, 44.0288, 44.1783, 44.2181, 44.5672, 43.4205, 42.6628, 43.1314],
);
const RSI_14 = [
  ...[70.53, 66.32, 66.55, 69.41, 66.36, 57.97, 62.93, 63.26, 56.06, 62.38],
  ...[54.71, 50.42, 39.99, 41.46, 41.87, 45.46, 37.3, 33.08, 37.77],
];

describe('rsi', () => {
  test('agrees with the published 14-day example', () => {
    const index = rsi(CLOSE);
    expect([...index.subarray(0, 14)].every(Number.isNaN)).toBe(true);
    RSI_14.forEach((expected, i) => expect(index[14 + i]).toBeCloseTo(expected, 1));
  });

  test('is 100 when price only rises, 0 when it only falls and 50 when it never moves', () => {
    const rising = Float64Array.from({ length: 20 }, (_, i) => 100 + i);
    expect(rsi(rising).at(-1)).toBe(100);
    expect(rsi(rising.toReversed()).at(-1)).toBe(0);
    expect(rsi(new Float64Array(20).fill(50)).at(-1)).toBe(50);
  });

  test('stays within 0 and 100 and mirrors around 50 when price is turned upside down', () => {
    fc.assert(
      fc.property(
        fc.float64Array({ min: 1, max: 1e5, noNaN: true, minLength: 15, maxLength: 80 }),
        (close) => {
          const index = rsi(close);
          const mirrored = rsi(close.map((price) => 2e5 - price));
          for (let i = 14; i < close.length; i++) {
            expect(index[i]).toBeGreaterThanOrEqual(0);
            expect(index[i]).toBeLessThanOrEqual(100);
            expect(index[i]! + mirrored[i]!).toBeCloseTo(100, 4);
          }
        },
      ),
    );
  });
});
