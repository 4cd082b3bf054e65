import { describe, expect, test } from 'vitest';
import { bollinger } from './bollinger.ts';

/** StockCharts ChartSchool, "Bollinger Bands": the first 21 closes with two rows of bands. */
const CLOSE = Float64Array.of(
  ...[86.16, 89.09, 88.78, 90.32, 89.07, 91.15, 89.44, 89.18, 86.93, 87.68, 86.96],
  ...[89.43, 89.32, 88.72, 87.45, 87.26, 89.5, 87.9, 89.13, 90.7, 92.9],
);

describe('bollinger', () => {
  test('agrees with the published 20-day example', () => {
    const { middle, upper, lower, widthPct } = bollinger(CLOSE);
    expect(middle[18]).toBeNaN();
    expect([middle[19], upper[19], lower[19]]).toEqual([near(88.71), near(91.29), near(86.12)]);
    expect([middle[20], upper[20], lower[20]]).toEqual([near(89.05), near(91.95), near(86.14)]);
    expect(widthPct[19]).toBeCloseTo((100 * (91.29 - 86.12)) / 88.71, 1);
  });

  test('bands of a flat price have no width, adjusted prices included', () => {
    const { middle, upper, widthPct } = bollinger(new Float64Array(100).fill(7325 * 0.2001366));
    expect(upper.at(-1)).toBe(middle.at(-1));
    expect(widthPct.at(-1)).toBe(0);
  });
});

function near(value: number): unknown {
  return expect.closeTo(value, 1);
}
