import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryBars, panelOf, type BarFixture } from '#quant/panel/panel-fixture.ts';
import { CursorSigner } from '#platform/paging/cursor.ts';
import { loadedOf } from '../in-memory/loaded-fixture.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';
import type { StoredAction } from '../store/action-rows.ts';
import { barsOfDayOf, type BarsOfDayRequest } from './bars-of-day.ts';
import { stockBarsOf } from './stock-bars.ts';

const TODAY = '2024-12-31';
const cursors = new CursorSigner(['cursor-secret-of-a-test']);
const loaded = (bars: BarFixture[], table: StoredAction[] = []) =>
  loadedOf(panelOf(bars), {}, undefined, table);

const ofDay = (market: LoadedDataset, change: Partial<BarsOfDayRequest> = {}) =>
  barsOfDayOf(market, { date: 'today', adjusted: 'true', limit: 1_000, ...change }, cursors, TODAY);

const PAID = { kind: 'dividend', amount: 40, status: 'stated' } as const;

const OLDER: BarFixture[] = [
  { ticker: 'AAAA', date: '2024-01-02', close: 100 },
  { ticker: 'BBBB', date: '2024-01-02', close: 50, volume: 0 },
  { ticker: 'CCCC', date: '2024-01-02', close: 70 },
];
const NEWER: BarFixture[] = [
  OLDER[0]!,
  { ticker: 'AAAA', date: '2024-01-03', close: 101 },
  ...OLDER.slice(1),
  { ticker: 'CCCC', date: '2024-01-03', close: 14, previous: 14, factor: 0.2, share_factor: 0.2 },
];

test('pages hold the bar of every stock of the day once, ordered by ticker, whatever their size', () => {
  fc.assert(
    fc.property(
      arbitraryBars,
      fc.integer({ min: 1, max: 6 }),
      fc.constantFrom('true', 'false', 'total'),
      (bars, limit, adjusted) => {
        const { ticker, date } = bars.at(-1)!;
        const market = loaded(bars, [{ ...PAID, ticker, ex_date: date, known_on: date }]);
        for (const date of market.panel.columns.dates) {
          const found = [];
          let page = ofDay(market, { date, limit, adjusted });
          found.push(...page.bars);
          while (page.has_more) {
            page = ofDay(market, { date, limit, adjusted, cursor: page.next_cursor });
            found.push(...page.bars);
          }
          const expected = market.panel.columns.tickers.flatMap((ticker) => {
            const request = { ticker, interval: 'day', adjusted, limit: 1, from: date, to: date } as const;
            const [bar] = stockBarsOf(market, request, cursors, TODAY).bars;
            return bar ? [{ ticker, trading: bar.trading }] : [];
          });
          expect(found).toEqual(expected);
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('the pages of `today` stay on one day and in its terms when a newer day is served in between', () => {
  const first = ofDay(loaded(OLDER), { limit: 2 });
  expect(first.bars.map(({ ticker }) => ticker)).toEqual(['AAAA', 'BBBB']);
  const second = ofDay(loaded(NEWER), { limit: 2, cursor: first.next_cursor });
  expect(second).toMatchObject({
    date: '2024-01-02',
    adjusted_to: '2024-01-02',
    bars: [{ ticker: 'CCCC', trading: { close: 70 } }],
    has_more: false,
  });
  expect(ofDay(loaded(NEWER), { date: '2024-01-02' }).bars[2]!.trading!.close).toBe(14);
});

test('a stock that did not trade has no prices, and one without a row is left out', () => {
  const { bars } = ofDay(loaded(NEWER), { date: '2024-01-02' });
  expect(bars[1]!.trading).toMatchObject({ open: undefined, close: undefined, volume: 0 });
  expect(ofDay(loaded(NEWER)).bars.map(({ ticker }) => ticker)).toEqual(['AAAA', 'CCCC']);
});

test('total returns need a dividend of some stock in the table, and count those of all', () => {
  const dividend = { ...PAID, ex_date: '2024-01-03', known_on: '2024-01-02' };
  const market = loaded(NEWER, [
    { ...dividend, ticker: 'AAAA' },
    { ...dividend, ticker: 'CCCC' },
  ]);
  const total = ofDay(market, { date: '2024-01-02', adjusted: 'total' });
  expect(total).toMatchObject({ adjusted: true, reinvests_dividends: true, dividends: 2 });
  const closes = total.bars.map(({ trading }) => trading!.close);
  expect(closes).toEqual([
    expect.closeTo(100 / (1 + 40 / 101), 3),
    undefined,
    expect.closeTo(14 / (1 + 40 / 14), 3),
  ]);
  expect(ofDay(market, { date: '2024-01-02' })).toMatchObject({ reinvests_dividends: false, dividends: 2 });
  expect(ofDay(loaded(NEWER)).dividends).toBeUndefined();
  expect(() => ofDay(loaded(NEWER), { adjusted: 'total' })).toThrow(
    expect.objectContaining({ code: 'not_found' }),
  );
});

test('a universe selects its members of the day, page by page', () => {
  const joined = (ticker: string, known_on: string): StoredAction => ({
    ...{ ticker, kind: 'index_membership', ex_date: '2024-01-01', known_on, status: 'stated' },
    ...{ index: 'LQ45', membership: 'joined' },
  });
  const market = loaded(NEWER, [joined('AAAA', '2024-01-02'), joined('CCCC', '2024-01-03')]);
  const found = (change: Partial<BarsOfDayRequest>) => ofDay(market, { universe: 'lq45', ...change });
  expect(found({ date: '2024-01-02' }).bars.map(({ ticker }) => ticker)).toEqual(['AAAA']);
  const first = found({ limit: 1 });
  const second = found({ limit: 1, universe: ' LQ45', cursor: first.next_cursor });
  expect([first, second].flatMap(({ bars }) => bars.map(({ ticker }) => ticker))).toEqual(['AAAA', 'CCCC']);
  expect(second.has_more).toBe(false);
  expect(() => found({ universe: 'IDX30' })).toThrow(expect.objectContaining({ code: 'not_found' }));
  expect(() => ofDay(market, { cursor: first.next_cursor })).toThrow(
    expect.objectContaining({ code: 'invalid_cursor' }),
  );
});
