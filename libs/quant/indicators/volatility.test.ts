import { describe, expect, test } from 'vitest';
import { atr, bollinger } from './volatility.ts';

/** StockCharts ChartSchool, "Average True Range (ATR)": 30 bars with their 14-day average. */
const HIGH = Float64Array.of(
  ...[48.7, 48.72, 48.9, 48.87, 48.82, 49.05, 49.2, 49.35, 49.92, 50.19, 50.12, 49.66, 49.88, 50.19, 50.36],
  ...[50.57, 50.65, 50.43, 49.63, 50.33, 50.29, 50.17, 49.32, 48.5, 48.32, 46.8, 47.8, 48.39, 48.66, 48.79],
);
const LOW = Float64Array.of(
  ...[47.79, 48.14, 48.39, 48.37, 48.24, 48.64, 48.94, 48.86, 49.5, 49.87, 49.2, 48.9, 49.43, 49.73, 49.26],
  ...[50.09, 50.3, 49.21, 48.98, 49.61, 49.2, 49.43, 48.08, 47.64, 41.55, 44.28, 47.31, 47.2, 47.9, 47.73],
);
const CLOSE = Float64Array.of(
  ...[48.16, 48.61, 48.75, 48.63, 48.74, 49.03, 49.07, 49.32, 49.91, 50.13, 49.53, 49.5, 49.75, 50.03, 50.31],
  ...[
    50.52, 50.41, 49.34, 49.37, 50.23, 49.24, 49.93, 48.43, 48.18, 46.57, 45.41, 47.77, 47.72, 48.62, 47.85,
  ],
);
const ATR_14 = [
  0.56, 0.59, 0.59, 0.57, 0.62, 0.62, 0.64, 0.67, 0.69, 0.78, 0.78, 1.21, 1.3, 1.38, 1.37, 1.34, 1.32,
];

describe('atr', () => {
  test('agrees with the published 14-day example', () => {
    const average = atr(HIGH, LOW, CLOSE);
    expect(average[12]).toBeNaN();
    ATR_14.forEach((expected, i) => expect(Math.abs(average[13 + i]! - expected)).toBeLessThan(0.0101));
  });
});

/** StockCharts ChartSchool, "Bollinger Bands": the first 21 closes with two rows of bands. */
const BOLLINGER_CLOSE = Float64Array.of(
  ...[86.16, 89.09, 88.78, 90.32, 89.07, 91.15, 89.44, 89.18, 86.93, 87.68, 86.96],
  ...[89.43, 89.32, 88.72, 87.45, 87.26, 89.5, 87.9, 89.13, 90.7, 92.9],
);

describe('bollinger', () => {
  test('agrees with the published 20-day example', () => {
    const { middle, upper, lower, widthPct } = bollinger(BOLLINGER_CLOSE);
    expect(middle[18]).toBeNaN();
    expect([middle[19], upper[19], lower[19]]).toEqual([near(88.71), near(91.29), near(86.12)]);
    expect([middle[20], upper[20], lower[20]]).toEqual([near(89.05), near(91.95), near(86.14)]);
    expect(widthPct[19]).toBeCloseTo((100 * (91.29 - 86.12)) / 88.71, 1);
  });

  test('bands of a constant price have no width, even for adjusted prices', () => {
    const { middle, upper, widthPct } = bollinger(new Float64Array(100).fill(7325 * 0.2001366));
    expect(upper.at(-1)).toBe(middle.at(-1));
    expect(widthPct.at(-1)).toBe(0);
  });
});

function near(value: number): unknown {
  return expect.closeTo(value, 1);
}
