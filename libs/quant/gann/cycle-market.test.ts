import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isoFromEpochDay, epochDayFromIso } from '#foundation/iso-day.ts';
import { panelOf, dailyBars, type BarFixture } from '../panel/panel-fixture.ts';
import type { Panel } from '../panel/panel.ts';
import { CYCLE_FEATURES, cycleFeatures } from './cycle-features.ts';
import { CycleMarket, type CycleSettings } from './cycle-market.ts';
import { emptyReading, type CycleReading } from './cycle-reading.ts';
import { MarketSwings } from './swings.ts';

const SETTINGS: CycleSettings = { cycles: [20, 33], cycleTolerance: 2, priceTolerancePct: 1.5 };
const FIRST_DAY = epochDayFromIso('2024-01-01');

/** One bar for every calendar day, with a high 1 IDR above and a low 1 IDR below the close. */
function barsOf(closes: number[], change: (i: number) => Partial<BarFixture> = () => ({})) {
  return dailyBars(closes.length, (i) => {
    const close = closes[i]!;
    return { close, high: close + 1, low: close - 1, ...change(i) };
  });
}

function leg(start: number, end: number, steps: number): number[] {
  return Array.from({ length: steps }, (_, i) => start + ((end - start) * (i + 1)) / steps);
}

function readingAt(panel: Panel, day: number, settings = SETTINGS, window = 5, ticker = 0): CycleReading {
  const cycles = new CycleMarket(new MarketSwings(panel, day, window), settings);
  const reading = emptyReading();
  cycles.read(ticker, panel.rowAt(ticker, day), reading);
  return reading;
}

/** Rises to 1,200 on day 20 (high 1,201), falls to 1,000 on day 30 (low 999), then rises by 10 a day. */
const CLOSES = [1_000, ...leg(1_000, 1_200, 20), ...leg(1_200, 1_000, 10), ...leg(1_000, 1_300, 30)];
const panel = panelOf(barsOf(CLOSES));

describe('a reading', () => {
  test('reports the cycle whose due day is nearest', () => {
    const hitAt = (day: number) => readingAt(panel, day).hit;
    expect(hitAt(50)).toEqual({ days: 20, unit: 'calendar', from: 'low', daysLeft: 0 });
    expect(hitAt(53)).toEqual({ days: 33, unit: 'calendar', from: 'high', daysLeft: 0 });
    expect(readingAt(panel, 53).timePoints).toBe(40);
    // One day from 20 days since the low, two days from 33 days since the high.
    expect(hitAt(51)).toEqual({ days: 20, unit: 'calendar', from: 'low', daysLeft: -1 });
    expect(readingAt(panel, 51).timePoints).toBeCloseTo(40 * (2 / 3), 12);
    expect(readingAt(panel, 56)).toMatchObject({ hit: null, timePoints: 0 });
  });

  test('reports the calendar days until the next cycle from any pivot', () => {
    expect([50, 52, 53, 56, 60].map((day) => readingAt(panel, day).daysToNextTurn)).toEqual([3, 1, 10, 7, 3]);
  });

  test('reports a cycle in exchange days when those match and calendar days do not', () => {
    // Every second day is a holiday, so 33 exchange days are 66 of the calendar.
    const spaced = barsOf(CLOSES, (i) => ({ date: isoFromEpochDay(FIRST_DAY + 2 * i) }));
    expect(readingAt(panelOf(spaced), 53)).toMatchObject({
      hit: { days: 33, unit: 'exchange', from: 'high', daysLeft: 0 },
      timePoints: 40,
    });
  });

  test('reports the position of the close between the last swing low and high', () => {
    const reading = readingAt(panel, 40);
    expect(reading).toMatchObject({ swing: 1, daysSinceLow: 10, daysSinceHigh: 20 });
    expect(reading.swingPosition).toBeCloseTo((1_100 - 999) / (1_201 - 999), 12);
    expect(readingAt(panel, 30)).toMatchObject({ swing: -1, daysSinceHigh: 10, daysSinceLow: NaN });
    expect(readingAt(panel, 24)).toMatchObject({ swing: 0, swingPosition: NaN, aboveOneByOne: NaN });
  });

  test('measures the 1x1 line in the average true range at the bar of the swing low', () => {
    // Until then the true range is 11 to 21 a day; the line rises by its average, the close by 10 a day.
    const { aboveOneByOne } = readingAt(panel, 40);
    const [day35, day40] = [readingAt(panel, 35).aboveOneByOne, aboveOneByOne];
    expect(day40).toBeLessThan(day35);
    const range = (1_100 - 1_050) / (day40 - day35 + 5);
    expect(range).toBeGreaterThan(11);
    expect(range).toBeLessThan(21);
    expect((1_100 - 999 - 10 * range) / range).toBeCloseTo(day40, 9);
  });

  test('has support and resistance levels counted from the last swing low and high', () => {
    // Up from 999, scaled to 99.9: 1049.60, 1101.45 … Down from 1,201, scaled to 12.01: 1033.97 …
    const { support, resistance, pricePoints } = readingAt(panel, 38);
    expect(support).toBeCloseTo(10 * (Math.sqrt(99.9) + 0.25) ** 2, 9);
    expect(resistance).toBeCloseTo(10 * (Math.sqrt(99.9) + 0.5) ** 2, 9);
    expect(pricePoints).toBe(0);
    const nearness = 1 - (resistance / 1_080 - 1) / 0.05;
    expect(readingAt(panel, 38, { ...SETTINGS, priceTolerancePct: 5 }).pricePoints).toBeCloseTo(
      35 * nearness,
      9,
    );
    const above = readingAt(panel, 35);
    expect(above.pricePoints).toBeCloseTo(35 * (1 - (1 - above.support / 1_050) / 0.015), 9);
  });

  test('restates earlier swings after a split', () => {
    const split = (i: number) =>
      i < 35 ? {} : { close: CLOSES[i]! / 2, high: CLOSES[i]! / 2 + 0.5, low: CLOSES[i]! / 2 - 0.5 };
    const halved = panelOf(
      barsOf(CLOSES, (i) => ({
        ...split(i),
        ...(i === 35 ? { factor: 0.5, share_factor: 0.5 } : {}),
      })),
    );
    const [before, after] = [readingAt(panel, 40), readingAt(halved, 40)];
    expect(after.swingPosition).toBeCloseTo(before.swingPosition, 6);
    expect(after.aboveOneByOne).toBeCloseTo(before.aboveOneByOne, 6);
    expect(after.timePoints).toBe(before.timePoints);
    // Half of 999 and half of 1,201 are scaled to 49.95 and 60.05.
    const [low, high] = [Math.sqrt(49.95), Math.sqrt(60.05)];
    expect(after.support).toBeCloseTo(10 * Math.max((low + 0.25) ** 2, (high - 0.5) ** 2), 4);
  });

  test('without cycles scores price and confirmation alone, scaled to 100', () => {
    const reading = readingAt(panel, 38, { ...SETTINGS, cycles: [], priceTolerancePct: 5 });
    expect(reading).toMatchObject({ hit: null, timePoints: 0, daysToNextTurn: Infinity });
    expect(reading.score).toBeCloseTo((reading.pricePoints + reading.confirmationPoints) / 0.6, 9);
  });
});

/** A stock over more days than its swings are long, with holidays, suspensions and splits. */
const arbitraryBars: fc.Arbitrary<BarFixture[]> = fc
  .array(
    fc.record({
      move: fc.oneof(fc.constant(0), fc.double({ min: -0.08, max: 0.08, noNaN: true })),
      above: fc.nat(12),
      below: fc.nat(12),
      volume: fc.oneof(
        { weight: 1, arbitrary: fc.constant(0) },
        { weight: 12, arbitrary: fc.nat(1_000_000) },
      ),
      daysOff: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(4)),
      factor: fc.oneof({ weight: 40, arbitrary: fc.constant(1) }, fc.constantFrom(0.2, 0.5, 4)),
    }),
    { minLength: 40, maxLength: 140, size: 'max' },
  )
  .map((steps) => {
    let [close, date] = [2_000, FIRST_DAY];
    return steps.map(({ move, above, below, volume, daysOff, factor }) => {
      const traded = volume > 0;
      close = Math.max(10, Math.round(close * factor * (traded ? 1 + move : 1)));
      date += 1 + daysOff;
      return {
        ticker: 'AAAA',
        date: isoFromEpochDay(date),
        close,
        volume,
        factor,
        share_factor: factor,
        ...(traded ? { high: close + above, low: close - Math.min(below, close - 1) } : {}),
      };
    });
  });
const arbitrarySettings: fc.Arbitrary<CycleSettings> = fc.record({
  cycles: fc.array(fc.integer({ min: 1, max: 120 }), { maxLength: 6 }),
  cycleTolerance: fc.nat(5),
  priceTolerancePct: fc.double({ min: 0.5, max: 5, noNaN: true }),
});
const arbitraryWindow = fc.integer({ min: 2, max: 10 });

function tradedRowsOf(market: Panel): number[] {
  return [...market.columns.volume.keys()].filter((row) => market.columns.volume[row]! > 0);
}

describe('for any stock', () => {
  test('the score is 0 to 100 and the sum of its parts, and levels lie on the right side of the close', () => {
    fc.assert(
      fc.property(arbitraryBars, arbitrarySettings, arbitraryWindow, (bars, settings, window) => {
        const market = panelOf(bars);
        const cycles = new CycleMarket(new MarketSwings(market, market.dayCount - 1, window), settings);
        const reading = emptyReading();
        for (const row of tradedRowsOf(market)) {
          cycles.read(0, row, reading);
          const { score, timePoints, pricePoints, confirmationPoints, support, resistance } = reading;
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(100);
          const parts = [timePoints, pricePoints, confirmationPoints];
          parts.forEach((points, i) => {
            expect(points).toBeGreaterThanOrEqual(0);
            expect(points).toBeLessThanOrEqual([40, 35, 25][i]!);
          });
          if (settings.cycles.length > 0) expect(score).toBeCloseTo(parts[0]! + parts[1]! + parts[2]!, 9);
          expect(reading.hit === null).toBe(timePoints === 0);
          const close = market.columns.close[row]!;
          expect(support > close || resistance <= close).toBe(false);
          expect(reading.daysToNextTurn).toBeGreaterThanOrEqual(1);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('later rows change no reading', () => {
    fc.assert(
      fc.property(
        arbitraryBars,
        arbitrarySettings,
        arbitraryWindow,
        fc.nat(99),
        (bars, settings, window, cut) => {
          const known = panelOf(bars.slice(0, Math.ceil((bars.length * (cut + 1)) / 100)));
          const poisoned = panelOf(
            bars.map((bar, i) =>
              i < known.rowCount ? bar : { ...bar, high: NaN, low: NaN, close: 1e9, volume: 1e12, factor: 7 },
            ),
          );
          const lastDay = known.dayCount - 1;
          const markets = [known, panelOf(bars), poisoned].map(
            (market) => new CycleMarket(new MarketSwings(market, lastDay, window), settings),
          );
          const whole = panelOf(bars);
          markets.push(new CycleMarket(new MarketSwings(whole, whole.dayCount - 1, window), settings));
          const readings = markets.map(() => emptyReading());
          for (const row of tradedRowsOf(known)) {
            markets.forEach((cycles, i) => cycles.read(0, row, readings[i]!));
            for (const reading of readings) expect(reading).toEqual(readings[0]);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('features are the numbers of the reading, each under its name', () => {
    const cycles = new CycleMarket(new MarketSwings(panel, panel.dayCount - 1, 5), SETTINGS);
    const out = CYCLE_FEATURES.map(() => new Float32Array(1));
    const featuresOn = (day: number) => {
      cycleFeatures(
        cycles,
        { ticker: Uint16Array.of(0), panelRow: Uint32Array.of(panel.rowAt(0, day)) },
        out,
      );
      return Object.fromEntries(CYCLE_FEATURES.map((name, i) => [name, out[i]![0]]));
    };
    const reading = readingAt(panel, 51);
    const close = CLOSES[51]!;
    const expected = {
      cycle_score: reading.score,
      cycle_time_points: reading.timePoints,
      cycle_price_points: reading.pricePoints,
      cycle_confirmation_points: reading.confirmationPoints,
      sq9_support_gap: 1 - reading.support / close,
      sq9_resistance_gap: reading.resistance / close - 1,
      days_since_swing_low: 21,
      days_since_swing_high: 31,
      swing_direction: 1,
      swing_position: reading.swingPosition,
      above_one_by_one: reading.aboveOneByOne,
      days_to_next_turn: 2,
    };
    const features = featuresOn(51);
    expect(Object.keys(features)).toEqual(Object.keys(expected));
    for (const [name, value] of Object.entries(expected)) expect(features[name]).toBeCloseTo(value, 5);
    expect(featuresOn(10)).toMatchObject({
      sq9_support_gap: 1,
      sq9_resistance_gap: 1,
      days_since_swing_low: 500,
      days_since_swing_high: 500,
      swing_direction: 0,
      swing_position: 0.5,
      above_one_by_one: 0,
      days_to_next_turn: 500,
    });
  });

  test('features are finite and do not depend on the order of the queried days', () => {
    fc.assert(
      fc.property(arbitraryBars, arbitrarySettings, arbitraryWindow, (bars, settings, window) => {
        const other = bars.map((bar) => ({ ...bar, ticker: 'BBBB', close: bar.close + 3 }));
        const market = panelOf([...bars, ...other.slice(20)]);
        const cycles = new CycleMarket(new MarketSwings(market, market.dayCount - 1, window), settings);
        const featuresOf = (rows: number[]) => {
          const out = CYCLE_FEATURES.map(() => new Float32Array(rows.length));
          const ticker = Uint16Array.from(rows, (row) => (row < bars.length ? 0 : 1));
          cycleFeatures(cycles, { ticker, panelRow: Uint32Array.from(rows) }, out);
          return out;
        };
        const rows = tradedRowsOf(market);
        const ascending = featuresOf(rows);
        const descending = featuresOf(rows.toReversed());
        ascending.forEach((column, feature) => {
          expect(column.every(Number.isFinite)).toBe(true);
          expect(descending[feature]!.toReversed()).toEqual(column);
        });
      }),
      { numRuns: 40 },
    );
  });
});
