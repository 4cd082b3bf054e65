import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PeriodBar } from '#proto/saring/market_data/v1/bars.ts';
import { holdingReturn } from '#quant/performance/holding-return.ts';
import { panelOf, arbitraryBars, type BarFixture } from '#quant/panel/panel-fixture.ts';
import { epochDayFromIso, isoFromEpochDay } from '#foundation/iso-day.ts';
import { Panel } from '#quant/panel/panel.ts';
import { CursorSigner } from '#platform/paging/cursor.ts';
import { loadedOf } from '../in-memory/loaded-fixture.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';
import type { StoredAction } from '../store/action-rows.ts';
import { periodOf, stockBarsOf, type BarsRequest } from './stock-bars.ts';

const TODAY = '2025-01-31';
const cursors = new CursorSigner(['cursor-secret-of-a-test']);
const loaded = (bars: BarFixture[], table: StoredAction[] = []) =>
  loadedOf(panelOf(bars), {}, undefined, table);
const request = { ticker: 'AAAA', interval: 'day', adjusted: 'true', limit: 1_000 } as const;

const barsOf = (market: LoadedDataset, change: Partial<BarsRequest> = {}) =>
  stockBarsOf(market, { ...request, ...change }, cursors, TODAY);

/** Every bar, page by page. `before` is called before each further page. */
function pagesOf(market: LoadedDataset, change: Partial<BarsRequest>, next = () => market): PeriodBar[] {
  const bars: PeriodBar[] = [];
  let page = barsOf(market, change);
  bars.push(...page.bars);
  while (page.has_more) {
    expect(page.bars).toHaveLength(change.limit!);
    page = barsOf(next(), { ...change, cursor: page.next_cursor });
    bars.push(...page.bars);
  }
  expect(page.next_cursor).toBeUndefined();
  return bars;
}

/** A suspended day, a day with a gap before it, and a split from 1 to 5 within the week of 8 January. */
const SPLIT: BarFixture[] = [
  { ticker: 'AAAA', date: '2024-01-04', close: 980, open: 900, low: 890, high: 990, previous: 0, volume: 10 },
  { ticker: 'AAAA', date: '2024-01-05', close: 980, previous: 980, volume: 0 },
  { ticker: 'AAAA', date: '2024-01-08', close: 1_000, high: 1_010, previous: 980, volume: 20 },
  {
    ticker: 'AAAA',
    date: '2024-01-10',
    close: 210,
    previous: 200,
    volume: 50,
    factor: 0.2,
    share_factor: 0.2,
  },
  { ticker: 'AAAA', date: '2024-02-01', close: 220, previous: 210, volume: 0 },
];
const split = loaded(SPLIT);

describe('bars of a stock', () => {
  test('unadjusted are those of the day, whatever split came later', () => {
    const unadjusted = barsOf(split, { adjusted: 'false' });
    expect(unadjusted).toMatchObject({ adjusted: false, adjusted_to: undefined });
    const until = barsOf(loaded(SPLIT.slice(0, 3)), { adjusted: 'false' });
    expect(unadjusted.bars.slice(0, 3)).toEqual(until.bars);
    expect(until.bars[0]).toEqual({
      date: '2024-01-04',
      last_date: '2024-01-04',
      traded_days: 1,
      trading: {
        ...{ open: 900, high: 990, low: 890, close: 980, volume: 10, value: 9_800, frequency: 1 },
        reference_price: undefined,
      },
    });
  });

  test('adjusted are in the terms of the last day of the dataset, with values as they were', () => {
    const { bars, adjusted_to } = barsOf(split);
    expect(adjusted_to).toBe('2024-02-01');
    expect(bars[2]!.trading).toMatchObject({ close: 200, volume: 100, value: 20_000, reference_price: 196 });
    expect(bars[3]!.trading).toMatchObject({ close: 210, volume: 50, value: 10_500, reference_price: 200 });
  });

  test('have no prices where the stock did not trade, and nothing where it is not in the dataset', () => {
    const { bars } = barsOf(split);
    expect(bars.map(({ date }) => date)).toEqual(SPLIT.map(({ date }) => date));
    expect(bars[1]).toMatchObject({ traded_days: 0, trading: { volume: 0, value: 0, frequency: 0 } });
    const { open, high, low, close } = bars[1]!.trading!;
    expect([open, high, low, close]).toEqual([undefined, undefined, undefined, undefined]);
    const weeks = barsOf(split, { interval: 'week' }).bars.map(({ date, last_date }) => [date, last_date]);
    expect(weeks).toEqual([
      ['2024-01-01', '2024-01-05'],
      ['2024-01-08', '2024-01-10'],
      ['2024-01-29', '2024-02-01'],
    ]);
  });

  test('of a week with a split mix prices of both terms only if unadjusted', () => {
    const week = (adjusted: 'true' | 'false') =>
      barsOf(split, { interval: 'week', adjusted }).bars[1]!.trading;
    expect(week('true')).toMatchObject({ open: 200, high: 210, low: 200, close: 210, volume: 150 });
    expect(week('false')).toMatchObject({ open: 1_000, high: 1_010, low: 210, close: 210, volume: 70 });
  });

  test('cover only the days from `from` to `to`, which need not be trading days', () => {
    const dates = (change: Partial<BarsRequest>) => barsOf(split, change).bars.map(({ date }) => date);
    expect(dates({ from: '2024-01-06', to: '2024-01-09' })).toEqual(['2024-01-08']);
    expect(dates({ from: '2024-01-08', to: '2024-01-08' })).toEqual(['2024-01-08']);
    expect(dates({ to: '2023-12-31' })).toEqual([]);
    expect(dates({ from: '2024-02-02' })).toEqual([]);
    const [first] = barsOf(split, { interval: 'week', from: '2024-01-09' }).bars;
    expect(first).toMatchObject({ date: '2024-01-08', traded_days: 1, trading: { open: 210 } });
  });

  test('name each trading day that the dataset lacks between them once, page by page, since the stock was listed', () => {
    const missing_days = ['2024-01-03', '2024-01-09', '2024-01-11', '2024-01-12', '2024-01-31', '2024-02-02'];
    const holey = loadedOf(panelOf(SPLIT), { missing_days });
    const missing = (change: Partial<BarsRequest>) => barsOf(holey, change).missing_days;
    expect(missing({})).toEqual(missing_days.slice(1, 5));
    expect(missing({ interval: 'week' })).toEqual(missing_days.slice(1));
    expect(missing({ from: '2024-01-11', to: '2024-02-01' })).toEqual(missing_days.slice(2, 5));
    expect(missing({ to: '2024-01-11' })).toEqual(missing_days.slice(1, 3));
    for (const interval of ['day', 'week', 'month'] as const) {
      const paged: string[] = [];
      let page = barsOf(holey, { interval, limit: 1 });
      paged.push(...page.missing_days);
      while (page.has_more) {
        page = barsOf(holey, { interval, limit: 1, cursor: page.next_cursor });
        paged.push(...page.missing_days);
      }
      expect(paged, interval).toEqual(missing({ interval }));
    }
  });

  test('can be partial only on the page with the last day of the dataset', () => {
    const lastDay = split.dataset.last_date;
    const isPartial = (change: Partial<BarsRequest>) =>
      stockBarsOf(split, { ...request, ...change }, cursors, lastDay).is_partial;
    expect([{}, { limit: 4 }, { to: '2024-01-31' }, { from: '2024-03-01' }].map(isPartial)).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(barsOf(split).is_partial).toBe(false);
  });
});

/**
 * The bars of a ticker computed row by row from what the exchange would publish, and from the dividends that are known on the last day
 * of all stocks.
 */
function recomputed(
  bars: BarFixture[],
  { interval, adjusted, from, to }: BarsRequest,
  dividends: StoredAction[],
): PeriodBar[] {
  const onExDay = Map.groupBy(dividends, ({ ex_date }) => bars.find(({ date }) => date >= ex_date));
  const paidOn = (bar: BarFixture) => (onExDay.get(bar) ?? []).reduce((sum, { amount }) => sum + amount!, 0);
  const reinvested = (bar: BarFixture) => 1 + paidOn(bar) / bar.close;
  const rows = bars.map((bar, i) => {
    const after = adjusted === 'false' ? [] : bars.slice(i + 1);
    const bought = adjusted === 'total' ? after.reduce((shares, later) => shares * reinvested(later), 1) : 1;
    const price = after.reduce((product, { factor = 1 }) => product * factor, 1) / bought;
    const share = after.reduce((product, { share_factor = 1 }) => product / share_factor, 1);
    return { ...bar, price, share };
  });
  const wanted = rows.filter(({ date }) => (from ?? '') <= date && date <= (to ?? '9'));
  return [...Map.groupBy(wanted, ({ date }) => periodOf(interval, date).date)].map(([date, group]) => {
    const traded = group.filter(({ volume }) => volume! > 0);
    const closes = traded.map(({ close, price }) => close * price);
    const near = (value: number | undefined) =>
      (value === undefined ? undefined : expect.closeTo(value, 3)) as number | undefined;
    const sum = (of: (row: (typeof rows)[number]) => number) =>
      traded.reduce((total, row) => total + of(row), 0);
    return {
      date,
      last_date: group.at(-1)!.date,
      traded_days: traded.length,
      trading: {
        open: near(closes[0]),
        high: near(closes.length > 0 ? Math.max(...closes) : undefined),
        low: near(closes.length > 0 ? Math.min(...closes) : undefined),
        close: near(closes.at(-1)),
        volume: expect.closeTo(
          sum(({ volume, share }) => volume! * share),
          -0.5,
        ) as number,
        value: sum(({ close, volume }) => close * volume!),
        frequency: traded.length,
        reference_price: near(group[0]!.close * group[0]!.price),
      },
    };
  });
}

const requests = fc.record(
  {
    interval: fc.constantFrom('day', 'week', 'month'),
    adjusted: fc.constantFrom('true', 'false', 'total'),
    from: fc.constantFrom('2023-12-31', '2024-01-07', '2024-01-15'),
    to: fc.constantFrom('2024-01-20', '2024-01-31', '2024-12-31'),
    limit: fc.integer({ min: 1, max: 12 }),
  },
  { requiredKeys: ['interval', 'adjusted', 'limit'] },
) as fc.Arbitrary<Partial<BarsRequest>>;

/** Days in and around those of the random markets. */
const someDay = fc
  .integer({ min: 0, max: 45 })
  .map((n) => isoFromEpochDay(epochDayFromIso('2023-12-30') + n));
const dividendsOf = (tickers: string[]): fc.Arbitrary<StoredAction[]> =>
  fc.array(
    fc.record({
      ticker: fc.constantFrom(...tickers),
      kind: fc.constant('dividend'),
      ex_date: someDay,
      known_on: someDay,
      amount: fc.integer({ min: 1, max: 500 }),
      status: fc.constant('stated'),
    }),
    { minLength: 1, maxLength: 8 },
  );
const marketsWithDividends = arbitraryBars.chain((bars) =>
  fc.tuple(fc.constant(bars), dividendsOf([...new Set(bars.map(({ ticker }) => ticker))])),
);

test('pages hold every bar once, in order, whatever their size, and each is what its rows say', () => {
  fc.assert(
    fc.property(marketsWithDividends, requests, ([bars, table], change) => {
      const market = loaded(bars, table);
      const known = table.filter(({ known_on }) => known_on <= market.panel.columns.dates.at(-1)!);
      for (const [ticker, own] of Map.groupBy(bars, (bar) => bar.ticker)) {
        const paid = known.filter((action) => action.ticker === ticker);
        const pages = pagesOf(market, { ...change, ticker });
        expect(pages).toEqual(barsOf(market, { ...change, ticker, limit: 1_000 }).bars);
        expect(pages).toEqual(recomputed(own, { ...request, ...change, ticker }, paid));
      }
    }),
  );
});

test('pages stay in the terms of the first one when a later version brings a split', () => {
  const before = loaded(SPLIT.slice(0, 3));
  const pages = pagesOf(before, { limit: 1 }, () => split);
  expect(pages.slice(0, 3)).toEqual(barsOf(before).bars);
  expect(pages.map(({ date }) => date)).toEqual(SPLIT.map(({ date }) => date));
  expect(pages[3]!.trading!.close).toBe(1_050);
});

test('pages stay with what was known on the day of the first one when a later version corrects a split', () => {
  const first = loaded(SPLIT.slice(0, 4));
  const later = panelOf(
    SPLIT.map((bar) => (bar.factor === 0.2 ? { ...bar, factor: 1, share_factor: 1 } : bar)),
  );
  const late_factors = [{ row: 3, knownDay: 4, factor: 0.2, share_factor: 0.2 }];
  const corrected = loadedOf(new Panel({ ...later.columns, late_factors }));
  expect(pagesOf(first, { limit: 1, to: '2024-01-10' }, () => corrected)).toEqual(barsOf(first).bars);
  expect(barsOf(corrected).bars[0]!.trading!.close).toBe(980);
});

describe('total returns', () => {
  const dividend = (change: Partial<StoredAction> = {}): StoredAction => ({
    ...{ ticker: 'AAAA', kind: 'dividend', ex_date: '2024-01-10', known_on: '2024-01-09', amount: 21 },
    ...{ status: 'stated', ...change },
  });
  const total = (table: StoredAction[], change: Partial<BarsRequest> = {}) =>
    barsOf(loaded(SPLIT, table), { adjusted: 'total', ...change });
  const closes = ({ bars }: ReturnType<typeof total>) => bars.map(({ trading }) => trading!.close);

  test('lower the prices before an ex-day as if the dividend had been reinvested at its close, and say so', () => {
    const answer = total([dividend()]);
    expect(answer).toMatchObject({ adjusted: true, reinvests_dividends: true, dividends: 1 });
    const bought = 1 + 21 / 210;
    expect(closes(answer)).toEqual([
      expect.closeTo(196 / bought, 3),
      undefined,
      expect.closeTo(200 / bought, 3),
      210,
      undefined,
    ]);
    const before = answer.bars[2]!.trading!;
    expect(before).toMatchObject({ volume: 100, value: 20_000 });
    expect(before.reference_price).toBeCloseTo(196 / bought, 3);
    expect(answer.bars[3]!.trading!.reference_price).toBe(200);
    const held = holdingReturn(panelOf(SPLIT), 2, 3, new Map([[3, 21]]));
    expect(210 / before.close! - 1).toBeCloseTo(held.total, 5);
  });

  test('of a stock without dividends are its price returns if the table has those of another stock', () => {
    const answer = total([dividend({ ticker: 'BBBB' })]);
    expect(answer).toMatchObject({ reinvests_dividends: true, dividends: 0 });
    expect(answer.bars).toEqual(barsOf(split).bars);
  });

  test('are not found without any dividend in the table, and other answers say that it has none', () => {
    const bonus: StoredAction = { ...dividend({ kind: 'bonus', ratio: 1 }), status: 'stated' };
    expect(() => total([bonus])).toThrow(
      expect.objectContaining({ code: 'not_found', message: expect.stringContaining('v1') as string }),
    );
    expect(barsOf(split)).toMatchObject({ reinvests_dividends: false, dividends: undefined });
    const priced = barsOf(loaded(SPLIT, [dividend()]));
    expect(priced).toMatchObject({ reinvests_dividends: false, dividends: 1 });
    expect(priced.bars).toEqual(barsOf(split).bars);
  });

  test('leave out a dividend that is known after the last day, or whose ex-day has not come', () => {
    for (const change of [{ known_on: '2024-02-02' }, { ex_date: '2024-02-02' }]) {
      const answer = total([dividend(change)]);
      expect(answer.dividends).toBe(0);
      expect(answer.bars).toEqual(barsOf(split).bars);
    }
  });

  test('stay, page by page, with what was known on the day of the first page, and go on after it', () => {
    const early = [dividend({ ex_date: '2024-01-05', known_on: '2024-01-02', amount: 98 })];
    const late = dividend({ ex_date: '2024-01-08', known_on: '2024-01-09', amount: 500 });
    const first = loaded(SPLIT.slice(0, 3), early);
    const later = loaded(SPLIT, [...early, late, dividend()]);
    const pages = pagesOf(first, { adjusted: 'total', limit: 1 }, () => later);
    expect(pages.slice(0, 3)).toEqual(barsOf(first, { adjusted: 'total' }).bars);
    expect(pages[3]!.trading!.close).toBeCloseTo(1_050 * (1 + 21 / 210), 3);
  });
});

test('a cursor is refused with other parameters, for another stock, and once another market is served', () => {
  const market = loaded([...SPLIT, { ticker: 'BBBB', date: '2024-01-04', close: 5 }]);
  const cursor = barsOf(market, { limit: 1 }).next_cursor!;
  expect(barsOf(market, { limit: 3, cursor }).count).toBe(3);
  const others: Partial<BarsRequest>[] = [
    { ticker: 'BBBB' },
    { interval: 'week' },
    { adjusted: 'false' },
    { from: '2024-01-04' },
    { to: '2024-02-01' },
    { cursor: `${cursor}x` },
  ];
  for (const other of others)
    expect(() => barsOf(market, { cursor, ...other })).toThrow(
      expect.objectContaining({ code: 'invalid_cursor' }),
    );
  const elsewhere = loaded([{ ticker: 'AAAA', date: '2024-01-03', close: 980 }]);
  expect(() => barsOf(elsewhere, { cursor })).toThrow(expect.objectContaining({ code: 'invalid_cursor' }));
});
