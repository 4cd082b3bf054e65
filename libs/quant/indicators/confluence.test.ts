import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { confluenceSeries, readConfluence, type PriceVolumeBars } from './confluence.ts';
import { stochastic } from './oscillators.ts';

function barsOf(close: number[], volume: number[] = close.map(() => 1_000)): PriceVolumeBars {
  const prices = Float64Array.from(close);
  return { high: prices, low: prices, close: prices, volume: Float64Array.from(volume) };
}

function pricesOf(close: number[]): [Float64Array, Float64Array, Float64Array] {
  const bars = barsOf(close);
  return [bars.high, bars.low, bars.close];
}

/** Sixty closes that fall by 1 each, then the given moves. */
function afterDecline(...moves: number[]): number[] {
  const close = Array.from({ length: 60 }, (_, i) => 200 - i);
  for (const move of moves) close.push(close.at(-1)! + move);
  return close;
}

describe('confluence', () => {
  test('a turn after a long decline fires stochastic first, then macd, then the moving averages', () => {
    const close = afterDecline(...(new Array(15).fill(3) as number[]));
    const { bits } = confluenceSeries(barsOf(close));
    const firstBar = (bit: number) => bits.findIndex((mask) => (mask & bit) !== 0);
    const [stochastic, macd, maCross] = [firstBar(1), firstBar(2), firstBar(4)];
    expect(stochastic).toBe(60);
    expect(macd).toBeGreaterThanOrEqual(stochastic);
    expect(maCross).toBeGreaterThan(macd);
    expect(bits.filter((mask) => (mask & 4) !== 0)).toHaveLength(1);
  });

  test('volume fires at 1.5 times its average on a rising bar only', () => {
    // For one bar of v after nineteen of 1,000, the ratio to the 20-bar average is 1.5 at v = 28,500 / 18.5.
    const exactly = 28_500 / 18.5;
    const volume = (last: number) => [...(new Array(60).fill(1_000) as number[]), last];
    const fired = (move: number, last: number) =>
      ((confluenceSeries(barsOf(afterDecline(move), volume(last))).bits.at(-1) ?? 0) & 8) !== 0;
    expect(fired(1, Math.ceil(exactly))).toBe(true);
    expect(fired(1, Math.floor(exactly))).toBe(false);
    expect(fired(0, 5_000)).toBe(false);
    expect(fired(-1, 5_000)).toBe(false);
  });

  test('the volume threshold can be set', () => {
    const bars = barsOf(afterDecline(1), [...(new Array(60).fill(1_000) as number[]), 5_000]);
    expect(confluenceSeries(bars, 4).bits.at(-1)! & 8).toBe(8);
    expect(confluenceSeries(bars, 4.5).bits.at(-1)! & 8).toBe(0);
  });

  test('the stochastic fires only after it was below 30', () => {
    const rising = Array.from({ length: 60 }, (_, i) => 100 + i);
    const shallowDip = [...rising, 158, 158, 158, 163, 165];
    const { k, d } = stochastic(...pricesOf(shallowDip));
    expect(k[62]).toBeLessThan(d[62]!);
    expect(k[64]).toBeGreaterThan(d[64]!);
    expect(confluenceSeries(barsOf(shallowDip)).bits.some((mask) => (mask & 1) !== 0)).toBe(false);
  });

  test('a constant price fires no signal', () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 50_000, noNaN: true }), (price) => {
        const { bits } = confluenceSeries(barsOf(new Array<number>(100).fill(price)));
        expect(bits.every((mask) => mask === 0)).toBe(true);
      }),
    );
  });

  test('a reading counts the signals within the lookback and how many bars ago each fired', () => {
    const ratio = new Float64Array(10).fill(1);
    ratio[7] = 3;
    const series = { bits: Uint8Array.of(0, 0, 4, 0, 0, 1, 0, 9, 0, 0), volumeRatio: ratio };
    expect(readConfluence(series, 9, 5)).toEqual({
      count: 2,
      barsAgo: { stochastic: 2, macd: null, ma_cross: null, volume: 2 },
      volumeRatio: 3,
    });
    expect(readConfluence(series, 9, 2)).toMatchObject({ count: 0, volumeRatio: 1 });
    expect(readConfluence(series, 9, 8)).toMatchObject({ count: 3, barsAgo: { ma_cross: 7 } });
    expect(readConfluence(series, 2, 5)).toMatchObject({ count: 1, barsAgo: { ma_cross: 0 } });
  });
});
