import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rsi, stochastic } from './oscillators.ts';

/** StockCharts ChartSchool, "Relative Strength Index (RSI)": 33 closes with their 14-day index. */
const CLOSE = Float64Array.of(
  ...[44.3389, 44.0902, 44.1497, 43.6124, 44.3278, 44.8264, 45.0955, 45.4245, 45.8433, 46.0826, 45.8931],
  ...[46.0328, 45.614, 46.282, 46.282, 46.0028, 46.0328, 46.4116, 46.2222, 45.6439, 46.2122, 46.2521],
  ...[45.7137, 46.4515, 45.7835, 45.3548, 44.0288, 44.1783, 44.2181, 44.5672, 43.4205, 42.6628, 43.1314],
);
const RSI_14 = [
  70.53, 66.32, 66.55, 69.41, 66.36, 57.97, 62.93, 63.26, 56.06, 62.38, 54.71, 50.42, 39.99, 41.46, 41.87,
  45.46, 37.3, 33.08, 37.77,
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

/** StockCharts ChartSchool, "Stochastic Oscillator": 30 bars, closes known from the 14th on. */
const HIGH = Float64Array.of(
  ...[127.01, 127.62, 126.59, 127.35, 128.17, 128.43, 127.37, 126.42, 126.9, 126.85, 125.65, 125.72, 127.16],
  ...[127.72, 127.69, 128.22, 128.27, 128.09, 128.27, 127.74, 128.77, 129.29, 130.06, 129.12, 129.29, 128.47],
  ...[128.09, 128.65, 129.14, 128.64],
);
const LOW = Float64Array.of(
  ...[125.36, 126.16, 124.93, 126.09, 126.82, 126.48, 126.03, 124.83, 126.39, 125.72, 124.56, 124.57, 125.07],
  ...[126.86, 126.63, 126.8, 126.71, 126.8, 126.13, 125.92, 126.99, 127.81, 128.47, 128.06, 127.61, 127.6],
  ...[127, 126.9, 127.49, 127.4],
);
const CLOSE_FROM_14 = [
  127.29, 127.18, 128.01, 127.11, 127.73, 127.06, 127.33, 128.71, 127.87, 128.58, 128.6, 127.93, 128.11,
  127.6, 127.6, 128.69, 128.27,
];
const STOCHASTIC_CLOSE = Float64Array.of(...(new Array(13).fill(125) as number[]), ...CLOSE_FROM_14);
/** The slow %K of the same bars. */
const FAST_D = [
  75.75, 74.21, 78.92, 70.69, 73.6, 79.21, 81.07, 80.58, 72.2, 69.24, 65.2, 54.19, 47.24, 49.2, 54.65,
];

describe('stochastic', () => {
  test('has as slow %K the published %D of the fast example', () => {
    const { k } = stochastic(HIGH, LOW, STOCHASTIC_CLOSE);
    FAST_D.forEach((expected, i) => expect(Math.abs(k[15 + i]! - expected)).toBeLessThan(0.5));
  });

  test('is 50 for a price that never moves', () => {
    const flat = new Float64Array(30).fill(50);
    const { k, d } = stochastic(flat, flat, flat);
    expect(k.at(-1)).toBe(50);
    expect(d.at(-1)).toBe(50);
  });
});
