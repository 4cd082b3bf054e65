import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAJOR_SWING_ATR, swingPivots, type SwingBars, type SwingPivots } from './swings.ts';

/** Bars whose high and low are 1 IDR above and below the close. */
function barsOf(closes: number[]): SwingBars {
  return {
    high: Float64Array.from(closes, (close) => close + 1),
    low: Float64Array.from(closes, (close) => close - 1),
    close: Float64Array.from(closes),
  };
}

/** `steps` closes from `start` (excluded) to `end`, in equal steps. */
function leg(start: number, end: number, steps: number): number[] {
  return Array.from({ length: steps }, (_, i) => start + ((end - start) * (i + 1)) / steps);
}

interface Pivot {
  bar: number;
  kind: 'high' | 'low';
  price: number;
}

/** The pivots known at a bar, newest first. */
function knownAt({ bar, isHigh, price, before, newest }: SwingPivots, at: number): Pivot[] {
  const known: Pivot[] = [];
  for (let pivot = newest[at]!; pivot >= 0; pivot = before[pivot]!) {
    known.push({ bar: bar[pivot]!, kind: isHigh[pivot] === 1 ? 'high' : 'low', price: price[pivot]! });
  }
  return known;
}

/** Rises to 120 at bar 20, falls to 100 at 30, rises to 130 at 45, then falls again. */
const SWINGS = [100, ...leg(100, 120, 20), ...leg(120, 100, 10), ...leg(100, 130, 15), ...leg(130, 110, 10)];
const TOP = { bar: 20, kind: 'high', price: 121 };
const BOTTOM = { bar: 30, kind: 'low', price: 99 };
const NEXT_TOP = { bar: 45, kind: 'high', price: 131 };

describe('a pivot', () => {
  test('is the extreme of its window and known only when the window ends', () => {
    const pivots = swingPivots(barsOf(SWINGS), 5);
    expect(knownAt(pivots, 24)).toEqual([]);
    expect(knownAt(pivots, 25)).toEqual([TOP]);
    expect(knownAt(pivots, 34)).toEqual([TOP]);
    expect(knownAt(pivots, 35)).toEqual([BOTTOM, TOP]);
    expect(knownAt(pivots, 49)).toEqual([BOTTOM, TOP]);
    expect(knownAt(pivots, 50)).toEqual([NEXT_TOP, BOTTOM, TOP]);
  });

  test('needs a whole window on both sides', () => {
    expect(knownAt(swingPivots(barsOf(SWINGS), 10), 55)).toEqual([NEXT_TOP, BOTTOM, TOP]);
    expect(knownAt(swingPivots(barsOf(SWINGS), 11), 55)).toEqual([BOTTOM, TOP]);
    expect(knownAt(swingPivots(barsOf(SWINGS), 20), 55)).toEqual([BOTTOM, TOP]);
    expect(knownAt(swingPivots(barsOf(SWINGS.slice(1)), 20), 54)).toEqual([{ ...BOTTOM, bar: 29 }]);
  });

  test('stands on the first of equal highs', () => {
    const flat = [...leg(100, 120, 20), 120, 120, ...leg(120, 100, 10)];
    expect(knownAt(swingPivots(barsOf(flat), 5), flat.length - 1)).toEqual([{ ...TOP, bar: 19 }]);
  });

  test('is replaced by a more extreme pivot of its kind once that one is known', () => {
    // From a high of 121 to a low of 118.5 is less than 1.5 ranges of 2, so it is not a major swing.
    const closes = [...leg(100, 120, 20), ...leg(120, 119.5, 6), ...leg(119.5, 130, 8), ...leg(130, 100, 12)];
    const pivots = swingPivots(barsOf(closes), 5);
    expect(knownAt(pivots, 25)).toEqual([{ ...TOP, bar: 19 }]);
    expect(knownAt(pivots, 37)).toEqual([{ ...TOP, bar: 19 }]);
    expect(knownAt(pivots, 38)).toEqual([{ bar: 33, kind: 'high', price: 131 }]);
  });
});

const arbitraryBars: fc.Arbitrary<SwingBars> = fc
  .array(
    fc.record({
      move: fc.oneof(fc.constant(0), fc.integer({ min: -40, max: 40 })),
      above: fc.nat(15),
      below: fc.nat(15),
    }),
    { maxLength: 160, size: 'max' },
  )
  .map((steps) => {
    const closes: number[] = [];
    for (const { move } of steps) closes.push(Math.max(50, (closes.at(-1) ?? 1_000) + move));
    return {
      high: Float64Array.from(closes, (close, i) => close + steps[i]!.above),
      low: Float64Array.from(closes, (close, i) => close - steps[i]!.below),
      close: Float64Array.from(closes),
    };
  });
const arbitraryWindow = fc.integer({ min: 1, max: 8 });

function firstBars({ high, low, close }: SwingBars, count: number): SwingBars {
  return { high: high.slice(0, count), low: low.slice(0, count), close: close.slice(0, count) };
}

test('a bar that is both the highest and the lowest of its window is no pivot', () => {
  const bars = barsOf(SWINGS);
  bars.low[TOP.bar] = 50;
  expect(knownAt(swingPivots(bars, 5), 34)).toEqual([]);
});

describe('for any prices', () => {
  test('later bars change nothing that was known before', () => {
    fc.assert(
      fc.property(arbitraryBars, arbitraryWindow, fc.nat(160), (bars, window, wantedCut) => {
        const cut = Math.min(wantedCut, bars.close.length);
        const [whole, known] = [swingPivots(bars, window), swingPivots(firstBars(bars, cut), window)];
        expect(whole.newest.slice(0, cut)).toEqual(known.newest);
        if (cut > 0) expect(knownAt(whole, cut - 1)).toEqual(knownAt(known, cut - 1));
      }),
      { numRuns: 200 },
    );
  });

  test('highs and lows alternate, are separated by a major swing, and have complete windows', () => {
    let seen = 0;
    fc.assert(
      fc.property(arbitraryBars, arbitraryWindow, (bars, window) => {
        const pivots = swingPivots(bars, window);
        const last = bars.close.length - 1;
        if (last < 0) return;
        for (let pivot = pivots.newest[last]!; pivot >= 0; pivot = pivots.before[pivot]!) {
          const bar = pivots.bar[pivot]!;
          const isHigh = pivots.isHigh[pivot] === 1;
          expect(pivots.price[pivot]).toBe(isHigh ? bars.high[bar] : bars.low[bar]);
          expect(bar + window).toBeLessThanOrEqual(last);
          const before = pivots.before[pivot]!;
          if (before < 0) continue;
          seen++;
          expect(pivots.isHigh[before]).toBe(isHigh ? 0 : 1);
          const swing = (pivots.price[pivot]! - pivots.price[before]!) * (isHigh ? 1 : -1);
          expect(swing).toBeGreaterThan(0);
          if (pivots.before[pivot] === pivot - 1)
            expect(swing).toBeGreaterThanOrEqual(MAJOR_SWING_ATR * pivots.atr[pivot]!);
        }
      }),
      { numRuns: 200 },
    );
    expect(seen).toBeGreaterThan(100);
  });

  test('prices turned upside down swap highs and lows', () => {
    fc.assert(
      fc.property(arbitraryBars, arbitraryWindow, ({ high, low, close }, window) => {
        const upsideDown = {
          high: low.map((v) => -v),
          low: high.map((v) => -v),
          close: close.map((v) => -v),
        };
        const [up, down] = [swingPivots({ high, low, close }, window), swingPivots(upsideDown, window)];
        const last = close.length - 1;
        if (last < 0) return;
        const mirrored = knownAt(down, last).map(({ bar, kind, price }) => ({
          bar,
          price: -price,
          kind: kind === 'high' ? 'low' : 'high',
        }));
        expect(mirrored).toEqual(knownAt(up, last));
      }),
      { numRuns: 200 },
    );
  });
});
