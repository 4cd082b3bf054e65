import { describe, expect, test } from 'vitest';
import { ema } from './ema.ts';
import { macd } from './macd.ts';

function near(value: number): unknown {
  return expect.closeTo(value, 12);
}

describe('macd', () => {
  test('with (1, 2, 2) equals the lines computed by hand', () => {
    // The fast line is the price itself; the slow one 11, then 2/3 of the way to 15, then to 9.
    const lines = macd(Float64Array.of(10, 12, 15, 9), 1, 2, 2);
    expect(lines.macd[0]).toBeNaN();
    expect([...lines.macd.subarray(1)]).toEqual([1, near(4 / 3), near(-14 / 9)]);
    // Seeded with the mean of 1 and 4/3, then 2/3 of the way to -14/9.
    expect([...lines.signal.subarray(2)]).toEqual([near(7 / 6), near(-35 / 54)]);
    expect([...lines.histogram.subarray(2)]).toEqual([near(1 / 6), near(-49 / 54)]);
  });

  test('(12, 26, 9) is the difference of the two averages and warms up as documented', () => {
    const close = Float64Array.from({ length: 60 }, (_, i) => 100 + ((i * 37) % 17));
    const lines = macd(close);
    expect(lines.macd[40]).toBe(ema(close, 12)[40]! - ema(close, 26)[40]!);
    expect(lines.macd.findIndex((value) => !Number.isNaN(value))).toBe(25);
    expect(lines.histogram.findIndex((value) => !Number.isNaN(value))).toBe(33);
  });

  test('of a straight line settles at the lag difference of the two averages, slope × 7', () => {
    const lines = macd(Float64Array.from({ length: 400 }, (_, i) => 1000 + 2 * i));
    expect(lines.macd.at(-1)).toBeCloseTo(2 * 7, 6);
    expect(lines.histogram.at(-1)).toBeCloseTo(0, 6);
  });
});
