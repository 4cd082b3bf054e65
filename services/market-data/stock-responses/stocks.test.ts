import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ListedStock } from '#proto/saring/market_data/v1/stocks.ts';
import { isoFromEpochDay, epochDayFromIso } from '#foundation/iso-day.ts';
import { arbitraryBars, panelOf, type BarFixture } from '#quant/panel/panel-fixture.ts';
import { CursorSigner } from '#platform/paging/cursor.ts';
import { loadedOf } from '../in-memory/loaded-fixture.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';
import type { StoredAction } from '../store/action-rows.ts';
import { stockSearch, stocksOf, type StocksRequest } from './stocks.ts';

const cursors = new CursorSigner(['cursor-secret-of-a-test']);
const stocks = (market: LoadedDataset, change: Partial<StocksRequest> = {}) =>
  stocksOf(market, { limit: 1_000, ...change }, cursors);
const tickers = (market: LoadedDataset, change: Partial<StocksRequest>) =>
  stocks(market, change).stocks.map(({ ticker }) => ticker);

const day = (number: number) => isoFromEpochDay(epochDayFromIso('2024-01-01') + number);
const daily = (ticker: string, days: number[], volume?: (day: number) => number): BarFixture[] =>
  days.map((n) => ({ ticker, date: day(n), close: 100, ...(volume && { volume: volume(n) }) }));
const TEN = Array.from({ length: 10 }, (_, n) => n);

const market = loadedOf(
  panelOf(
    [
      ...daily('AAAA', TEN),
      ...daily('GONE', [0, 1, 2]),
      ...daily('HALT', TEN, (n) => (n < 3 ? 1 : 0)),
      ...daily('LATE', [6, 7, 8, 9]),
      ...daily('MISS', TEN.slice(0, -1)),
    ],
    [
      {
        ticker: 'AAAA',
        name: 'Alpha Bank Tbk.',
        sector: 'Financials',
        board: 'Main',
        listed_on: '2001-05-04',
      },
      { ticker: 'HALT', name: 'Alpha Holding', sector: 'Energy', board: 'Watchlist', listed_on: null },
      { ticker: 'LATE', name: '', sector: '', board: 'Main', listed_on: null },
    ],
  ),
);

test('a stock has its listing facts, null where there are none, and its first, last and last traded day', () => {
  const { stocks: found, as_of, count, has_more } = stocks(market);
  expect([as_of, count, has_more]).toEqual([day(9), 5, false]);
  expect(found[0]).toEqual({
    ...{
      ticker: 'AAAA',
      name: 'Alpha Bank Tbk.',
      sector: 'Financials',
      board: 'Main',
      listed_on: '2001-05-04',
    },
    ...{ first_date: day(0), last_date: day(9), last_traded_date: day(9), status: 'listed' },
  });
  expect(found[2]).toMatchObject({ last_date: day(9), last_traded_date: day(2), status: 'listed' });
  const { name, sector, listed_on } = found[3]!;
  expect([name, sector, listed_on]).toEqual([undefined, undefined, undefined]);
});

test('a stock is delisted once it lacks the last five days, and not because one of them is missing', () => {
  const status = (as_of: string) => stocks(market, { as_of }).stocks.find((s) => s.ticker === 'GONE')?.status;
  expect([2, 6, 7, 9].map((n) => status(day(n)))).toEqual(['listed', 'listed', 'delisted', 'delisted']);
  expect(tickers(market, { status: 'delisted' })).toEqual(['GONE']);
  expect(tickers(market, { status: 'listed' })).toEqual(['AAAA', 'HALT', 'LATE', 'MISS']);
});

test('as of a day, stocks and their days are as they were known then', () => {
  fc.assert(
    fc.property(arbitraryBars, fc.integer({ min: 0, max: 40 }), (bars, number) => {
      const as_of = day(number);
      const until = bars.filter(({ date }) => date <= as_of);
      fc.pre(until.length > 0);
      expect(stocks(loadedOf(panelOf(bars)), { as_of })).toEqual(stocks(loadedOf(panelOf(until))));
    }),
  );
  expect(() => stocks(market, { as_of: '2023-12-31' })).toThrow(
    expect.objectContaining({ code: 'not_found' }),
  );
});

test('search and filters apply together, in any case', () => {
  expect(tickers(market, { search: 'alpha' })).toEqual(['AAAA', 'HALT']);
  expect(tickers(market, { search: 'la' })).toEqual(['LATE']);
  expect(tickers(market, { board: 'MAIN' })).toEqual(['AAAA', 'LATE']);
  expect(tickers(market, { search: 'alpha', sector: ' energy ' })).toEqual(['HALT']);
  expect(tickers(market, { sector: 'energy', board: 'Main' })).toEqual([]);
});

test('a universe selects its members of the day, and an unknown one is not_found', () => {
  const change = (ticker: string, membership: 'joined' | 'left', n: number): StoredAction => ({
    ticker,
    kind: 'index_membership',
    ex_date: day(n),
    known_on: day(n),
    index: 'LQ45',
    membership,
    status: 'stated',
  });
  const table = [change('AAAA', 'joined', 1), change('HALT', 'joined', 3), change('AAAA', 'left', 5)];
  const withTable = loadedOf(market.panel, {}, undefined, table);
  const inLq45 = (n: number, others: Partial<StocksRequest> = {}) =>
    tickers(withTable, { universe: ' lq45', as_of: day(n), ...others });
  expect([1, 3, 4, 5].map((n) => inLq45(n))).toEqual([
    ['AAAA'],
    ['AAAA', 'HALT'],
    ['AAAA', 'HALT'],
    ['HALT'],
  ]);
  expect(inLq45(4, { search: 'bank' })).toEqual(['AAAA']);
  const { next_cursor: cursor } = stocks(withTable, { universe: 'lq45', as_of: day(4), limit: 1 });
  expect(inLq45(4, { universe: 'LQ45', cursor })).toEqual(['HALT']);
  for (const unknown of [{ as_of: day(0), universe: 'LQ45' }, { universe: 'IDX30' }])
    expect(() => tickers(withTable, unknown)).toThrow(expect.objectContaining({ code: 'not_found' }));
});

test('pages hold every stock once, ordered by ticker, whatever their size', () => {
  fc.assert(
    fc.property(arbitraryBars, fc.integer({ min: 1, max: 6 }), (bars, limit) => {
      const any = loadedOf(panelOf(bars));
      const found: ListedStock[] = [];
      let page = stocks(any, { limit });
      found.push(...page.stocks);
      while (page.has_more) {
        expect(page.stocks).toHaveLength(limit);
        page = stocks(any, { limit, cursor: page.next_cursor });
        found.push(...page.stocks);
      }
      expect(found).toEqual(stocks(any).stocks);
      expect(found.map(({ ticker }) => ticker)).toEqual(any.panel.columns.tickers);
    }),
  );
});

test('pages stay as of the day of the first one, and a cursor is refused with other filters', () => {
  const older = loadedOf(panelOf([...daily('AAAA', [0]), ...daily('GONE', [0])]));
  const { next_cursor: cursor } = stocks(older, { limit: 1 });
  expect(stocks(market, { cursor })).toMatchObject({
    as_of: day(0),
    stocks: [{ ticker: 'GONE', last_date: day(0) }, { ticker: 'HALT' }, { ticker: 'MISS' }],
  });
  const banks = stocks(market, { search: 'Alpha', limit: 1 }).next_cursor;
  expect(tickers(market, { search: ' ALPHA', cursor: banks })).toEqual(['HALT']);
  for (const change of [{ search: 'a' }, { board: 'Main' }, { status: 'listed' as const }, { as_of: day(0) }])
    expect(() => stocks(market, { cursor, ...change })).toThrow(
      expect.objectContaining({ code: 'invalid_cursor' }),
    );
});

const NAMES = {
  BBCA: 'Bank Central Asia Tbk.',
  BBRI: 'Bank Rakyat Indonesia (Persero) Tbk.',
  BANK: 'Bank Aladin Syariah Tbk.',
  JIHD: 'Jakarta International Hotels & Development Tbk.',
  NONE: '',
};

const searched = (search: string) => {
  const isFound = stockSearch(search);
  return Object.entries(NAMES).flatMap(([ticker, name]) => (isFound(ticker, name) ? [ticker] : []));
};

test.each([
  ['bb', ['BBCA', 'BBRI']],
  [' bbca ', ['BBCA']],
  ['BANK', ['BBCA', 'BBRI', 'BANK']],
  ['asia central', ['BBCA']],
  ['cent as', ['BBCA']],
  ['(persero)', ['BBRI']],
  ['hotels & dev', ['JIHD']],
  ['no', ['NONE']],
])('%s finds the stocks whose ticker it begins, or whose name has all its words', (search, tickers) => {
  expect(searched(search)).toEqual(tickers);
});

test.each(['entral', 'bank tbk x', 'BCA', ' ', '&', '.*', '[', '\\'])('%j finds nothing', (search) => {
  expect(searched(search)).toEqual([]);
});
