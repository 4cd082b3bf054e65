import { describe, expect, test } from 'vitest';
import { stochastic } from './stochastic.ts';

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
  ...[127.29, 127.18, 128.01, 127.11, 127.73, 127.06, 127.33, 128.71, 127.87],
  ...[128.58, 128.6, 127.93, 128.11, 127.6, 127.6, 128.69, 128.27],
];
const CLOSE = Float64Array.of(...(new Array(13).fill(125) as number[]), ...CLOSE_FROM_14);
const K = [
  ...[70.44, 67.61, 89.2, 65.81, 81.75, 64.52, 74.53, 98.58, 70.1, 73.06],
  ...[73.42, 61.23, 60.96, 40.39, 40.39, 66.83, 56.73],
];
const D = [
  75.75, 74.21, 78.92, 70.69, 73.6, 79.21, 81.07, 80.58, 72.2, 69.24, 65.2, 54.19, 47.24, 49.2, 54.65,
];

describe('stochastic', () => {
  test('agrees with the published fast (14, 1, 3) example', () => {
    const { k, d } = stochastic(HIGH, LOW, CLOSE, 14, 1, 3);
    K.forEach((expected, i) => expect(Math.abs(k[13 + i]! - expected)).toBeLessThan(0.5));
    D.forEach((expected, i) => expect(Math.abs(d[15 + i]! - expected)).toBeLessThan(0.5));
  });

  test('slow %K is the mean of three fast ones and both warm up as documented', () => {
    const fast = stochastic(HIGH, LOW, CLOSE, 14, 1, 3).k;
    const slow = stochastic(HIGH, LOW, CLOSE);
    expect(slow.k[20]).toBeCloseTo((fast[18]! + fast[19]! + fast[20]!) / 3, 10);
    expect(slow.k.findIndex((value) => !Number.isNaN(value))).toBe(15);
    expect(slow.d.findIndex((value) => !Number.isNaN(value))).toBe(17);
  });

  test('a price that never moves counts as the middle', () => {
    const flat = new Float64Array(30).fill(50);
    const { k, d } = stochastic(flat, flat, flat);
    expect(k.at(-1)).toBe(50);
    expect(d.at(-1)).toBe(50);
  });
});
