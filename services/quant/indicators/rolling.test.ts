import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { logReturns, simpleReturns } from './returns.ts';
import { rollingMax, rollingMin } from './rolling-extremes.ts';
import { rollingStdDev } from './rolling-std-dev.ts';
import { annualVolatility } from './volatility.ts';
import { volumeRatio } from './volume-ratio.ts';

const series = fc.float64Array({ min: 1, max: 1e6, noNaN: true, maxLength: 120 });
const seriesWithGaps = fc
  .array(fc.option(fc.integer({ min: 1, max: 1e6 }), { nil: NaN, freq: 8 }), {
    maxLength: 120,
  })
  .map((values) => Float64Array.from(values));
const periods = fc.integer({ min: 1, max: 30 });

describe('rolling windows', () => {
  test('extremes equal those of each window, and are NaN where the window is short or holds a gap', () => {
    fc.assert(
      fc.property(seriesWithGaps, periods, (values, period) => {
        const [highest, lowest] = [rollingMax(values, period), rollingMin(values, period)];
        for (let i = 0; i < values.length; i++) {
          const window = [...values.subarray(Math.max(0, i - period + 1), i + 1)];
          const full = window.length === period;
          expect(highest[i]).toBe(full ? Math.max(...window) : NaN);
          expect(lowest[i]).toBe(full ? Math.min(...window) : NaN);
        }
      }),
    );
  });

  test('standard deviation equals the two-pass definition, sample and population', () => {
    fc.assert(
      fc.property(series, fc.integer({ min: 2, max: 30 }), fc.constantFrom(0, 1), (values, period, ddof) => {
        rollingStdDev(values, period, ddof).forEach((deviation, i) => {
          if (i < period - 1) return expect(deviation).toBeNaN();
          const window = [...values.subarray(i - period + 1, i + 1)];
          const mean = window.reduce((a, b) => a + b) / period;
          const squares = window.reduce((sum, value) => sum + (value - mean) ** 2, 0);
          expect(deviation).toBeCloseTo(Math.sqrt(squares / (period - ddof)), 1);
        });
      }),
    );
  });

  test('standard deviation keeps its digits for small movements around a large price', () => {
    const values = Float64Array.from({ length: 200 }, (_, i) => 1e9 + (i % 2));
    expect(rollingStdDev(values, 20, 0).at(-1)).toBeCloseTo(0.5, 9);
  });

  test('a sample of one has no deviation', () => {
    expect([...rollingStdDev(Float64Array.of(1, 2), 1, 1)]).toEqual([NaN, NaN]);
    expect([...rollingStdDev(Float64Array.of(1, 2), 1, 0)]).toEqual([0, 0]);
  });

  test('volatility annualises the deviation of log returns by the root of 252', () => {
    const close = Float64Array.of(100, 110, 99, 108.9);
    const steps = [Math.log(1.1), Math.log(0.9), Math.log(1.1)];
    const mean = (steps[0]! + steps[1]! + steps[2]!) / 3;
    const variance = steps.reduce((sum, step) => sum + (step - mean) ** 2, 0) / 2;
    const volatility = annualVolatility(close, 3);
    expect(volatility[2]).toBeNaN();
    expect(volatility[3]).toBeCloseTo(Math.sqrt(variance * 252), 10);
  });

  test('volume ratio includes the bar itself', () => {
    expect([...volumeRatio(Float64Array.of(100, 100, 100, 500), 4)]).toEqual([NaN, NaN, NaN, 2.5]);
  });

  test('returns look back the given number of bars', () => {
    const close = Float64Array.of(100, 110, 121);
    expect([...simpleReturns(close, 2)]).toEqual([NaN, NaN, 121 / 100 - 1]);
    expect(logReturns(close)[1]).toBeCloseTo(Math.log(1.1), 12);
  });
});
