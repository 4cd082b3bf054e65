import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { panelOf } from '../panel/panel-fixture.ts';
import {
  AnalogLibrary,
  AnalogLevels,
  inOrderOfVolatility,
  weightedQuantile,
  type PastRow,
} from './analogs.ts';
import { ForwardPaths } from './forward-path.ts';

describe('weighted quantile', () => {
  const values = [30, 10, 20].map((value) => ({ value, weight: value === 30 ? 2 : 1 }));

  test.each([
    [0, 10],
    [0.25, 10],
    [0.26, 20],
    [0.5, 20],
    [0.51, 30],
    [1, 30],
  ])('at %d is %d', (share, value) => expect(weightedQuantile(values, share)).toBe(value));

  test('ignores values without weight', () => {
    expect(weightedQuantile([{ value: 1, weight: 0 }, ...values], 0)).toBe(10);
    expect(weightedQuantile([{ value: 1, weight: 0 }], 0.5)).toBeNaN();
  });
});

const pastRow = (panelRow: number, bucket: number, volatility: number): PastRow => ({
  ticker: 0,
  panelRow,
  bucket,
  volatility,
});
const libraryOf = (rows: readonly PastRow[]) =>
  new AnalogLibrary(
    inOrderOfVolatility({
      ticker: Uint16Array.from(rows, ({ ticker }) => ticker),
      panelRow: Uint32Array.from(rows, ({ panelRow }) => panelRow),
      bucket: Uint8Array.from(rows, ({ bucket }) => bucket),
      volatility: Float64Array.from(rows, ({ volatility }) => volatility),
    }),
  );
/** Volatilities in steps of 1 ‰, with the buckets in turn. */
const past = Array.from({ length: 3_000 }, (_, i) => pastRow(i, i % 5, 0.001 * (1 + i)));
const chances = [0.1, 0.2, 0.4, 0.2, 0.1];

describe('analogs', () => {
  test('are the rows nearest by volatility ratio, weighted by the forecast chance of their bucket', () => {
    const analogs = libraryOf(past.toReversed()).like(1, chances);
    const volatilities = analogs.map((analog) => analog.past.volatility);
    const [least, most] = [Math.min(...volatilities), Math.max(...volatilities)];
    expect(analogs).toHaveLength(200);
    expect(least * most).toBeCloseTo(1, 2);
    expect(volatilities).toEqual(past.map((row) => row.volatility).filter((v) => v >= least && v <= most));
    for (const [bucket, chance] of chances.entries()) {
      const weight = analogs
        .filter((analog) => analog.past.bucket === bucket)
        .reduce((sum, analog) => sum + analog.weight, 0);
      expect(weight).toBeCloseTo(chance, 12);
    }
  });

  test('of an extreme volatility are the rows at that end of the range', () => {
    const library = libraryOf(past);
    expect(library.like(1e-9, chances).map((analog) => analog.past.panelRow)).toEqual([...Array(200).keys()]);
    expect(library.like(1e9, chances).at(-1)!.past.panelRow).toBe(2_999);
  });

  test('are all rows when there are few, and never more than a thousand', () => {
    expect(libraryOf(past.slice(0, 50)).like(0.02, chances)).toHaveLength(50);
    const many = Array.from({ length: 25_000 }, (_, i) => pastRow(i, i % 5, 0.02));
    expect(libraryOf(many).like(0.02, chances)).toHaveLength(1_000);
  });

  test('do not depend on the order of the rows', () => {
    const alike = past.map((row) => ({ ...row, volatility: 0.01 }));
    const rowsOf = (rows: PastRow[]) =>
      libraryOf(rows)
        .like(0.01, chances)
        .map((analog) => analog.past.panelRow);
    expect(rowsOf(alike.toReversed())).toEqual(rowsOf(alike));
  });
});

describe('levels of a price', () => {
  /** A stock that first rises, then falls, in steps chosen by the property. */
  const scene = fc.record({
    steps: fc.array(fc.integer({ min: -15, max: 15 }), { minLength: 60, maxLength: 60 }),
    price: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 50, max: 9_000 })),
    swing: fc.double({ min: 0.5, max: 1.2, noNaN: true }),
    weights: fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 20, maxLength: 20 }),
  });

  interface Scene {
    steps: number[];
    price: number;
    weights: number[];
    isoDate?: string;
  }
  function levelsOf({ steps, price, weights, isoDate = '2024-01-02' }: Scene) {
    let close = 10_000;
    const bars = steps.map((step, i) => {
      close = Math.max(100, Math.round(close * (1 + step / 100)));
      const date = new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10);
      return { ticker: 'AAAA', date, close, high: close * 1.01, low: close * 0.99 };
    });
    const analogs = weights.map((weight, row) => ({ past: pastRow(row, 0, 0.02), weight }));
    return new AnalogLevels(analogs, new ForwardPaths(panelOf(bars), 20), {
      price,
      isoDate,
      horizonDays: 20,
    });
  }

  test('the reach lies above the price, and the support below it unless the price is at its board’s floor', () => {
    fc.assert(
      fc.property(scene, (given) => {
        const levels = levelsOf(given);
        expect(levels.reach).toBeGreaterThan(given.price);
        const support = levels.support(Math.round(given.price * given.swing));
        const floor = given.price < 50 ? 1 : 50;
        if (given.price === floor) expect(support).toBe(floor);
        else expect(support).toBeLessThan(given.price);
        expect(support).toBeGreaterThanOrEqual(floor);
      }),
    );
  });

  test('the window lies within the horizon, and an unreachable target gets its last day', () => {
    fc.assert(
      fc.property(scene, (given) => {
        const levels = levelsOf(given);
        const near = levels.daysTo(given.price * 1.001);
        const reach = levels.daysTo(levels.reach);
        for (const { day_from, day_to } of [near, reach]) {
          expect(day_from).toBeGreaterThanOrEqual(1);
          expect(day_to).toBeGreaterThanOrEqual(day_from);
          expect(day_to).toBeLessThanOrEqual(20);
        }
        expect(levels.daysTo(given.price * 1e6)).toEqual({ day_from: 20, day_to: 20 });
        const { day_from } = levels.daysTo(given.price * 1.5);
        // On no board can a price of 10 or more rise by half in a day.
        if (given.price >= 10) expect(day_from).toBeGreaterThan(1);
      }),
    );
  });

  test('are prices of the ticks of the analysed day', () => {
    const flat = { steps: Array<number>(60).fill(0), weights: Array<number>(20).fill(1) };
    // A tick of 1 until May 2016, and of 2 since.
    const [then, now] = ['2016-04-29', '2016-05-02'].map((isoDate) =>
      levelsOf({ ...flat, price: 300, isoDate }),
    );
    expect([then!.reach, now!.reach]).toEqual([303, 302]);
    expect([then!.support(400), now!.support(400)]).toEqual([297, 296]);
  });

  test('the support is the higher of the swing low and the lows of the analogs', () => {
    const levels = levelsOf({
      steps: Array.from({ length: 60 }, () => -1),
      price: 1_000,
      weights: Array<number>(20).fill(1),
    });
    const far = levels.support(1);
    expect(far).toBeGreaterThan(780);
    expect(far).toBeLessThan(830);
    expect(levels.support(900)).toBe(900);
    expect(levels.support(1_000)).toBe(far);
  });
});
