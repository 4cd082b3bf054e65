import fc from 'fast-check';
import { expect, test, describe } from 'vitest';
import { TimeCycles, nearestLevels, turnsUp, volumeOfRise } from './constructions.ts';

test('a cycle is due within its tolerance, and its closeness falls with each day of distance', () => {
  const cycles = new TimeCycles([45, 90], 2);
  const days = [42, 43, 44, 45, 46, 47, 48, 90];
  expect(days.map((passed) => cycles.dueAfter(passed))).toEqual([0, 45, 45, 45, 45, 45, 0, 90]);
  const closeness = days.map((passed) => cycles.closeness(passed));
  [0, 1 / 3, 2 / 3, 1, 2 / 3, 1 / 3, 0, 1].forEach((each, i) => expect(closeness[i]).toBeCloseTo(each, 12));
});

test('without tolerance a cycle is close only on its exact day', () => {
  const cycles = new TimeCycles([45], 0);
  expect([44, 45, 46].map((passed) => cycles.closeness(passed))).toEqual([0, 1, 0]);
});

test('the nearer of two cycles is due, and the shorter one on a tie', () => {
  const cycles = new TimeCycles([10, 14], 5);
  expect([11, 12, 13].map((passed) => cycles.dueAfter(passed))).toEqual([10, 10, 14]);
});

test('the next cycle is the first that has not been reached', () => {
  const cycles = new TimeCycles([45, 90], 2);
  expect([0, 44, 45, 89, 90, 400].map((passed) => cycles.daysToNext(passed))).toEqual([
    45,
    1,
    45,
    1,
    Infinity,
    Infinity,
  ]);
});

test('without cycles nothing is ever due', () => {
  const none = new TimeCycles([], 3);
  for (const passed of [0, 1, 3, 4, 1_000]) {
    expect([none.dueAfter(passed), none.closeness(passed), none.daysToNext(passed)]).toEqual([
      0,
      0,
      Infinity,
    ]);
  }
});

test('repeated cycle lengths and their order make no difference', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 720 }), { maxLength: 8 });
  fc.assert(
    fc.property(lengths, fc.nat(5), fc.nat(800), (given, tolerance, passed) => {
      const [one, other] = [
        new TimeCycles(given, tolerance),
        new TimeCycles([...given.toReversed(), ...given], tolerance),
      ];
      expect(other.lengths).toEqual(one.lengths);
      expect(other.dueAfter(passed)).toBe(one.dueAfter(passed));
      expect(other.closeness(passed)).toBe(one.closeness(passed));
      expect(other.daysToNext(passed)).toBe(one.daysToNext(passed));
    }),
  );
});

function levels(close: number, swingLow: number, swingHigh: number) {
  const out = { support: 0, resistance: 0 };
  nearestLevels(close, swingLow, swingHigh, out);
  return out;
}

describe('levels', () => {
  test('rise from a low of 81 as its root 9 grows by 0.25 every 45 degrees', () => {
    expect(levels(84, 81, NaN)).toEqual({ support: NaN, resistance: 9.25 ** 2 });
    expect(levels(86, 81, NaN)).toEqual({ support: 9.25 ** 2, resistance: 9.5 ** 2 });
    expect(levels(120, 81, NaN)).toEqual({ support: 10.75 ** 2, resistance: 11 ** 2 });
  });

  test('end after a full turn, where the root is 2 larger or 2 smaller', () => {
    expect(levels(130, 81, NaN)).toEqual({ support: 121, resistance: NaN });
    expect(levels(40, NaN, 81)).toEqual({ support: NaN, resistance: 49 });
  });

  test('fall from a high of 1,600, which is scaled to 16 with the root 4', () => {
    expect(levels(1_300, NaN, 1_600)).toEqual({ support: 100 * 3.5 ** 2, resistance: 100 * 3.75 ** 2 });
    expect(levels(1_500, NaN, 1_600)).toEqual({ support: 100 * 3.75 ** 2, resistance: NaN });
  });

  test('from two pivots combine to the nearest support and resistance', () => {
    // Up from 1,600 (root 4): 1806.25, 2025, 2256.25 … Down from 2,500 (root 5): 2256.25, 2025 …
    expect(levels(2_100, 1_600, 2_500)).toEqual({ support: 2_025, resistance: 2_256.25 });
    // Up from 1,500 (root √15 = 3.8729833): 1699.90, 1912.30, 2137.1975 …
    expect(levels(2_100, 1_500, 2_500).support).toBe(2_025);
    expect(levels(2_100, 1_500, 2_500).resistance).toBeCloseTo(2_137.1975, 4);
  });

  test('include a level equal to the close as support', () => {
    expect(levels(2_025, 1_600, NaN)).toEqual({ support: 2_025, resistance: 2_256.25 });
  });

  test('do not exist without pivots', () => {
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

  test('not when it falls, closes in its lower half, or the lowest low is older', () => {
    expect(turnsUp(bars, last - 1, 5)).toBe(false);
    expect(turnsUp(changed({ high: [...bars.high.slice(0, last), 111] }), last, 5)).toBe(false);
    const lowAt = (bar: number) => changed({ low: [...bars.low].with(bar, 90) });
    expect(turnsUp(lowAt(last - 5), last, 5)).toBe(true);
    expect(turnsUp(lowAt(last - 4), last, 5)).toBe(false);
    expect(turnsUp(lowAt(last - 2), last, 5)).toBe(true);
  });

  test('not when it closes higher by the rounding of a restated price alone', () => {
    const flat = closes.map(() => 57);
    const restated = closes.map((_, bar) => (bar < last ? 85 * (57 / 85) : 57));
    expect(restated[0]).toBeLessThan(57);
    expect(turnsUp(changed({ high: flat, low: flat, close: restated }), last, 5)).toBe(false);
  });

  test('not before a window of bars has passed', () => {
    expect(turnsUp(bars, last, last)).toBe(true);
    expect(turnsUp(bars, last, last + 1)).toBe(false);
  });
});

describe('volume of a rise', () => {
  const closes = Float64Array.from({ length: 25 }, (_, bar) => 100 + bar);
  const volumes = (last: number) => Float64Array.from({ length: 25 }, (_, bar) => (bar === 24 ? last : 100));

  test('is 0 up to the mean of 20 bars, 1 from twice the mean, and linear in between', () => {
    expect(volumeOfRise(closes, volumes(100), 24)).toBe(0);
    // (19 x 100 + 150) / 20 = 102.5, and 150 / 102.5 - 1 = 0.4634…
    expect(volumeOfRise(closes, volumes(150), 24)).toBeCloseTo(0.463_414_6, 7);
    expect(volumeOfRise(closes, volumes(1_000), 24)).toBe(1);
    expect(volumeOfRise(closes, volumes(10), 24)).toBe(0);
  });

  test('counts only on a rising bar and only with 20 bars of history', () => {
    expect(volumeOfRise(closes.toReversed(), volumes(1_000), 24)).toBe(0);
    const restated = closes.map((_, bar) => (bar < 24 ? 85 * (57 / 85) : 57));
    expect(volumeOfRise(restated, volumes(1_000), 24)).toBe(0);
    expect(volumeOfRise(closes, volumes(100).fill(1_000, 18), 18)).toBe(0);
    expect(volumeOfRise(closes, volumes(100).fill(1_000, 19), 19)).toBeGreaterThan(0);
  });
});
