import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ema, sma, wilder } from './moving-averages.ts';

/** StockCharts ChartSchool, "Moving Averages": 30 closes with their 10-day averages. */
const CLOSE = Float64Array.of(
  ...[
    22.27, 22.19, 22.08, 22.17, 22.18, 22.13, 22.23, 22.43, 22.24, 22.29, 22.15, 22.39, 22.38, 22.61, 23.36,
  ],
  ...[24.05, 23.75, 23.83, 23.95, 23.63, 23.82, 23.87, 23.65, 23.19, 23.1, 23.33, 22.68, 23.1, 22.4, 22.17],
);
const SMA_10 = [
  22.22, 22.21, 22.23, 22.26, 22.31, 22.42, 22.61, 22.77, 22.91, 23.08, 23.21, 23.38, 23.53, 23.65, 23.71,
  23.69, 23.61, 23.51, 23.43, 23.28, 23.13,
];
const EMA_10 = [
  22.22, 22.21, 22.24, 22.27, 22.33, 22.52, 22.8, 22.97, 23.13, 23.28, 23.34, 23.43, 23.51, 23.54, 23.47,
  23.4, 23.39, 23.26, 23.23, 23.08, 22.92,
];

describe('moving averages', () => {
  test('sma agrees with the published 10-day example', () => {
    const average = sma(CLOSE, 10);
    expect([...average.subarray(0, 9)].every(Number.isNaN)).toBe(true);
    SMA_10.forEach((expected, i) => expect(Math.abs(average[9 + i]! - expected)).toBeLessThan(0.0101));
  });

  test('ema agrees with the published 10-day example', () => {
    const average = ema(CLOSE, 10);
    expect([...average.subarray(0, 9)].every(Number.isNaN)).toBe(true);
    EMA_10.forEach((expected, i) => expect(Math.abs(average[9 + i]! - expected)).toBeLessThan(0.0101));
  });

  test('sma is the mean of each window, also after thousands of large values', () => {
    const values = fc.float64Array({ min: -1e12, max: 1e12, noNaN: true, maxLength: 300 });
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 40 }), (series, period) => {
        sma(series, period).forEach((average, i) => {
          const window = series.subarray(i - period + 1, i + 1);
          if (i < period - 1) expect(average).toBeNaN();
          else expect(Math.abs(average - window.reduce((a, b) => a + b, 0) / period)).toBeLessThan(0.01);
        });
      }),
    );
  });

  test.each([
    ['sma', sma],
    ['ema', ema],
    ['wilder', wilder],
  ])('%s restarts its warm-up after a gap and ignores what was before', (_, average) => {
    const after = Float64Array.of(4, 5, 6, 7, 8);
    const withGap = average(Float64Array.of(100, 200, 300, 400, NaN, ...after), 3);
    expect([...withGap.subarray(5)]).toEqual([...average(after, 3)]);
    expect(withGap[4]).toBeNaN();
  });

  test.each([0, -1, 1.5, NaN])('a period of %d is refused', (period) => {
    expect(() => sma(CLOSE, period)).toThrow(RangeError);
    expect(() => ema(CLOSE, period)).toThrow(RangeError);
  });
});
