import { describe, expect, test } from 'vitest';
import { turnsUp, volumeOfRise } from './turn-confirmation.ts';

describe('a bar turns up', () => {
  const closes = [120, 118, 116, 114, 112, 110, 108, 106, 104, 102, 100, 103];
  const bars = {
    high: Float64Array.from(closes, (close) => close + 1),
    low: Float64Array.from(closes, (close) => close - 1),
    close: Float64Array.from(closes),
  };
  const last = closes.length - 1;
  const changed = (change: Partial<Record<'high' | 'low' | 'close', number[]>>) => ({
    ...bars,
    ...Object.fromEntries(Object.entries(change).map(([name, values]) => [name, Float64Array.from(values)])),
  });

  test('when it closes higher, in its upper half, with the lowest low of the window in the last three bars', () => {
    expect(turnsUp(bars, last, 5)).toBe(true);
  });

  test('not when it falls, closes in its lower half, or its low is older', () => {
    expect(turnsUp(bars, last - 1, 5)).toBe(false);
    expect(turnsUp(changed({ high: [...bars.high.slice(0, last), 111] }), last, 5)).toBe(false);
    const lowAt = (bar: number) => changed({ low: [...bars.low].with(bar, 90) });
    expect(turnsUp(lowAt(last - 5), last, 5)).toBe(true);
    expect(turnsUp(lowAt(last - 4), last, 5)).toBe(false);
    expect(turnsUp(lowAt(last - 2), last, 5)).toBe(true);
  });

  test('not before a window of bars has passed', () => {
    expect(turnsUp(bars, last, last)).toBe(true);
    expect(turnsUp(bars, last, last + 1)).toBe(false);
  });
});

describe('volume of a rise', () => {
  const closes = Float64Array.from({ length: 25 }, (_, bar) => 100 + bar);
  const volumes = (last: number) => Float64Array.from({ length: 25 }, (_, bar) => (bar === 24 ? last : 100));

  test('is 0 at the mean of 20 bars, 1 from twice the mean on, even in between', () => {
    expect(volumeOfRise(closes, volumes(100), 24)).toBe(0);
    // (19 x 100 + 150) / 20 = 102.5, and 150 / 102.5 - 1 = 0.4634…
    expect(volumeOfRise(closes, volumes(150), 24)).toBeCloseTo(0.463_414_6, 7);
    expect(volumeOfRise(closes, volumes(1_000), 24)).toBe(1);
    expect(volumeOfRise(closes, volumes(10), 24)).toBe(0);
  });

  test('counts on a rising bar only, and not before there are 20', () => {
    expect(volumeOfRise(closes.toReversed(), volumes(1_000), 24)).toBe(0);
    expect(volumeOfRise(closes, volumes(100).fill(1_000, 18), 18)).toBe(0);
    expect(volumeOfRise(closes, volumes(100).fill(1_000, 19), 19)).toBeGreaterThan(0);
  });
});
