import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StockBars } from '../features/stock-bars.ts';
import { panelOf, type BarFixture } from '../panel/panel-fixture.ts';
import type { Panel } from '../panel/panel.ts';
import { syntheticBars } from '../panel/generated-bars-fixture.ts';
import {
  looksLikeSpecialBoard,
  candidates,
  outsiders,
  closedAtUpperLimit,
  tradableRows,
  type Candidate,
} from './candidates.ts';
import { tradedRows } from './liquidity.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

const START_MS = Date.parse('2024-01-01');

/** Bars of consecutive days like those of a regular stock: a range on every day, moves within a few percent. */
function ordinaryBars(ticker: string, count: number, from = 0): BarFixture[] {
  return Array.from({ length: count }, (_, i) => ({
    ticker,
    date: new Date(START_MS + (from + i) * DAY_MS).toISOString().slice(0, 10),
    close: 1_000,
    previous: 1_000,
    high: 1_020,
    low: 980,
    volume: 1_000_000,
  }));
}

function namesOn(bars: BarFixture[]): string[] {
  const panel = panelOf(bars.toSorted((a, b) => (a.ticker === b.ticker ? 0 : a.ticker < b.ticker ? -1 : 1)));
  return candidates(panel, panel.dayCount - 1).map((candidate) => candidate.code);
}

const withoutTrade = (bar: BarFixture): BarFixture => ({
  ...bar,
  volume: 0,
  high: bar.close,
  low: bar.close,
});
const idleOn = (bars: BarFixture[], days: number[]) =>
  bars.map((bar, i) => (days.includes(bars.length - 1 - i) ? withoutTrade(bar) : bar));

describe('a stock can be picked', () => {
  const others = ordinaryBars('OKAY', 150);

  test('with 120 traded bars, not with 119', () => {
    expect(namesOn([...others, ...ordinaryBars('NEWS', 119, 31)])).toEqual(['OKAY']);
    expect(namesOn([...others, ...ordinaryBars('NEWS', 120, 30)])).toEqual(['NEWS', 'OKAY']);
  });

  test('when it traded on 18 of the last 20 days, not on 17', () => {
    const bars = ordinaryBars('IDLE', 150);
    expect(namesOn([...others, ...idleOn(bars, [3, 9])])).toEqual(['IDLE', 'OKAY']);
    expect(namesOn([...others, ...idleOn(bars, [3, 9, 15])])).toEqual(['OKAY']);
  });

  test('only when it traded on the analysed day', () => {
    expect(namesOn([...others, ...idleOn(ordinaryBars('IDLE', 150), [0])])).toEqual(['OKAY']);
    expect(namesOn([...others, ...ordinaryBars('GONE', 149)])).toEqual(['OKAY']);
  });

  test('and is listed with its close and its average value over 20 exchange days', () => {
    const panel = panelOf(idleOn(others, [4]));
    expect(candidates(panel, 149)).toEqual([
      { ticker: 0, code: 'OKAY', close: 1_000, averageValue: (19 * 1_000_000_000) / 20 },
    ]);
  });
});

test.each([
  [1_000, 1_250, true],
  [1_000, 1_245, false],
  [150, 202, true],
  [150, 201, false],
  [6_000, 7_200, true],
])('after a reference price of %d a close at %d is the upper limit: %s', (previous, close, isLimit) => {
  const panel = panelOf([{ ticker: 'AAAA', date: '2024-01-02', previous, close }]);
  expect(closedAtUpperLimit(panel, 0, 0)).toBe(isLimit);
});

test.each([
  ['stopped there before and never went beyond', {}, true],
  ['went beyond it before', { high: 1_150 }, false],
  ['traded under the floor of the regular boards', { previous: 52, close: 49, high: 52, low: 49 }, true],
])('a stock that closes 10 %% higher and %s closes at its upper limit: %s', (_, other, isLimit) => {
  const atLimit = { high: 1_100, close: 1_100 };
  const changes: Record<number, Partial<BarFixture>> = { 120: atLimit, 130: other, 139: atLimit };
  const bars = ordinaryBars('TEST', 140).map((bar, i) => ({ ...bar, ...changes[i] }));
  const panel = panelOf([...ordinaryBars('AAAA', 140), ...bars]);
  const row = panel.rowAt(1, 139);
  expect(closedAtUpperLimit(panel, 1, row)).toBe(isLimit);
  const { upper } = new StockBars(panel, 1, tradedRows(panel, 1)).limitsOf(139);
  expect(panel.columns.close[row]! >= upper).toBe(isLimit);
});

describe('the special board is inferred from visible prices', () => {
  const isSpecial = (change: (bar: BarFixture, i: number) => Partial<BarFixture>) => {
    const bars = ordinaryBars('TEST', 20).map((bar, i) => ({ ...bar, ...change(bar, i) }));
    return looksLikeSpecialBoard(
      panelOf(bars),
      bars.map((_, row) => row),
    );
  };

  test('but not for an ordinary stock', () => expect(isSpecial(() => ({}))).toBe(false));

  test('when a stock traded below 50', () => {
    expect(isSpecial((_, i) => (i === 4 ? { close: 49, high: 52, low: 49, previous: 50 } : {}))).toBe(true);
  });

  test('when half of the bars have a single price', () => {
    const single = { high: 1_000, low: 1_000 };
    expect(isSpecial((_, i) => (i % 2 === 0 ? single : {}))).toBe(true);
    expect(isSpecial((_, i) => (i % 3 === 0 ? single : {}))).toBe(false);
  });

  test('when a stock stops twice at exactly 10 % and never goes beyond', () => {
    const atLimit = { high: 1_100, close: 1_100 };
    expect(isSpecial((_, i) => (i === 3 || i === 11 ? atLimit : {}))).toBe(true);
    expect(isSpecial((_, i) => (i === 3 ? atLimit : {}))).toBe(false);
    expect(isSpecial((_, i) => (i === 3 || i === 11 ? atLimit : i === 15 ? { high: 1_150 } : {}))).toBe(
      false,
    );
  });
});

const DAYS = 170;
const market = syntheticBars({ seed: 3, tickers: 12, days: DAYS });

/** Results of the fast form, in the order in which `candidates` returns them for each day. */
function fastCandidates(panel: Panel): Candidate[][] {
  const { tickers, day, close } = panel.columns;
  const days: Candidate[][] = Array.from({ length: panel.dayCount }, () => []);
  for (const [ticker, code] of tickers.entries()) {
    const traded = tradedRows(panel, ticker);
    const { bar, averageValue } = tradableRows(panel, ticker, traded);
    bar.forEach((index, i) => {
      const r = traded[index]!;
      days[day[r]!]!.push({ ticker, code, close: close[r]!, averageValue: averageValue[i]! });
    });
  }
  return days;
}

const slowCandidates = (panel: Panel) =>
  Array.from({ length: panel.dayCount }, (_, day) => candidates(panel, day));

/** Days without a trade, bars of one price, bars below the floor, at the narrow limits and beyond them, and missing rows. */
type Event = (bar: BarFixture) => BarFixture[];
const arbitraryEvent = fc.constantFrom<Event[]>(
  () => [],
  (bar) => [{ ...bar, volume: 0, high: bar.close, low: bar.close }],
  (bar) => [{ ...bar, high: bar.close, low: bar.close }],
  (bar) => [{ ...bar, low: 49 }],
  (bar) => [{ ...bar, previous: 1_000, low: 1_000, high: 1_100, close: 1_100 }],
  (bar) => [{ ...bar, previous: 1_000, low: 900, high: 1_000, close: 900 }],
  (bar) => [{ ...bar, previous: 1_000, low: 1_000, high: 1_200, close: 1_150 }],
);
const arbitraryEvents = fc.array(fc.record({ at: fc.nat(market.length - 1), happens: arbitraryEvent }), {
  maxLength: 150,
  size: 'max',
});

test('one pass over a ticker finds, for every day, exactly the candidates of that day', () => {
  let found = 0;
  fc.assert(
    fc.property(arbitraryEvents, (events) => {
      const eventAt = new Map(events.map(({ at, happens }) => [at, happens]));
      const panel = panelOf(market.flatMap((bar, i) => eventAt.get(i)?.(bar) ?? [bar]));
      const expected = slowCandidates(panel);
      expect(fastCandidates(panel)).toEqual(expected);
      for (const [day, found] of expected.entries()) {
        const outside = outsiders(panel, day, () => false);
        expect(outside.too_small).toEqual(found.map(({ code }) => code));
        const seen = panel.columns.tickers.filter((_, i) => panel.endRow(i, day) > panel.firstRow(i));
        expect(Object.values(outside).flat().toSorted()).toEqual(seen.toSorted());
      }
      found += expected.flat().length;
    }),
    { numRuns: 25 },
  );
  expect(found).toBeGreaterThan(1_000);
});
