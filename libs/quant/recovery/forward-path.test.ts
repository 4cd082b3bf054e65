import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryBars, panelOf, type BarFixture } from '../panel/panel-fixture.ts';
import { DailyVolatility, ForwardPaths, swingLow } from './forward-path.ts';

const day = (number: number) => `2024-01-${String(number).padStart(2, '0')}`;

function bar(number: number, close: number, change: Partial<BarFixture> = {}): BarFixture {
  return { ticker: 'AAAA', date: day(number), close, high: close + 5, low: close - 5, ...change };
}

/** A second stock that trades on every day, so that days without AAAA are exchange days too. */
const calendar = Array.from({ length: 12 }, (_, i) => ({ ticker: 'ZZZZ', date: day(i + 1), close: 100 }));
const panelWith = (bars: BarFixture[]) => panelOf([...bars, ...calendar]);

describe('the path after a row', () => {
  const split = { factor: 0.5, share_factor: 0.5 };
  const panel = panelWith([
    bar(1, 100, { high: 500, low: 10 }),
    bar(2, 110),
    bar(3, 90),
    bar(5, 60, split),
    bar(6, 40),
  ]);

  test('is adjusted to the row, so corporate actions are neither gain nor loss', () => {
    const paths = new ForwardPaths(panel, 4);
    expect(paths.returnOf(0, 0)).toBeCloseTo(0.2, 9);
    expect(paths.extremesOf(0, 0).highest).toBeCloseTo(0.3, 9);
    expect(paths.extremesOf(0, 0).lowest).toBeCloseTo(-0.15, 9);
  });

  test('counts exchange days, even those without a row of the stock', () => {
    const paths = new ForwardPaths(panel, 3);
    expect(paths.returnOf(0, 0)).toBeCloseTo(-0.1, 9);
    expect(new ForwardPaths(panel, 4).firstDayAbove(0, 0, 0.16)).toBe(4);
    expect(paths.firstDayAbove(0, 0, 0.16)).toBe(0);
    expect(paths.firstDayAbove(0, 0, 0.1)).toBe(1);
  });

  test('is flat for a stock that never trades again', () => {
    const gone = panelWith([bar(1, 100), bar(2, 100, { volume: 0, high: 100, low: 100 })]);
    const paths = new ForwardPaths(gone, 10);
    expect(paths.returnOf(0, 0)).toBe(0);
    expect(paths.extremesOf(0, 0)).toEqual({ highest: 0, lowest: 0 });
    expect(paths.firstDayAbove(0, 0, 0)).toBe(0);
  });

  test('depends on no row after the horizon', () => {
    fc.assert(
      fc.property(arbitraryBars, fc.nat(40), fc.integer({ min: 1, max: 8 }), (bars, drawn, horizonDays) => {
        const whole = panelOf(bars);
        const from = drawn % whole.dayCount;
        const until = whole.columns.dates[Math.min(whole.dayCount - 1, from + horizonDays)]!;
        const cut = panelOf(bars.filter(({ date }) => date <= until));
        const [seen, known] = [new ForwardPaths(whole, horizonDays), new ForwardPaths(cut, horizonDays)];
        for (const [ticker, code] of cut.columns.tickers.entries()) {
          const wholeTicker = whole.tickerIndex(code);
          const [row, wholeRow] = [cut.rowAt(ticker, from), whole.rowAt(wholeTicker, from)];
          if (row === -1) continue;
          expect(seen.returnOf(wholeTicker, wholeRow)).toBe(known.returnOf(ticker, row));
          expect(seen.extremesOf(wholeTicker, wholeRow)).toEqual(known.extremesOf(ticker, row));
          expect(seen.firstDayAbove(wholeTicker, wholeRow, 0.1)).toBe(known.firstDayAbove(ticker, row, 0.1));
        }
      }),
    );
  });
});

describe('daily volatility', () => {
  test('is the root mean square of the last log returns, adjusted for splits', () => {
    const panel = panelWith([
      bar(1, 100),
      bar(2, 110),
      bar(3, 50, { factor: 0.5, share_factor: 0.5 }),
      bar(4, 60),
    ]);
    const squares = [1.1, 50 / 55, 1.2].map((ratio) => Math.log(ratio) ** 2);
    const volatility = new DailyVolatility(panel);
    expect(volatility.of(0, 3, 2)).toBeCloseTo(Math.sqrt((squares[1]! + squares[2]!) / 2), 12);
    expect(volatility.of(0, 3, 50)).toBeCloseTo(Math.sqrt((squares[0]! + squares[1]! + squares[2]!) / 3), 12);
    expect(volatility.of(0, 1, 1)).toBeCloseTo(Math.log(1.1), 12);
  });

  test('is never 0, so its logarithm is finite', () => {
    const panel = panelWith([bar(1, 100), bar(2, 100)]);
    for (const row of [0, 1]) expect(new DailyVolatility(panel).of(0, row, 20)).toBe(0.001);
  });

  test('of a row is not changed by later rows', () => {
    fc.assert(
      fc.property(arbitraryBars, fc.nat(40), (bars, drawn) => {
        const whole = panelOf(bars);
        const cut = panelOf(bars.filter(({ date }) => date <= whole.columns.dates[drawn % whole.dayCount]!));
        const [seen, known] = [new DailyVolatility(whole), new DailyVolatility(cut)];
        for (const [ticker, code] of cut.columns.tickers.entries()) {
          const wholeTicker = whole.tickerIndex(code);
          const rows = cut.columns.offsets[ticker + 1]! - cut.firstRow(ticker);
          for (let i = 0; i < rows; i++) {
            const [row, wholeRow] = [cut.firstRow(ticker) + i, whole.firstRow(wholeTicker) + i];
            expect(seen.of(wholeTicker, wholeRow, 5)).toBe(known.of(ticker, row, 5));
          }
        }
      }),
    );
  });
});

test('the swing low is the lowest low of the last traded bars, adjusted to the day', () => {
  const panel = panelWith([
    bar(1, 50),
    bar(2, 100),
    bar(3, 45, { factor: 0.5, share_factor: 0.5 }),
    bar(4, 60),
  ]);
  expect(swingLow(panel, 0, 3, 3)).toBe(40);
  expect(swingLow(panel, 0, 3, 4)).toBe(22.5);
  expect(swingLow(panel, 0, 1, 1)).toBe(95);
});
