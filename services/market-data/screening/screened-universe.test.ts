import { describe, expect, test } from 'vitest';
import { listedPanel, marketBars } from '#fields/catalogue/market-fixture.ts';
import { loadedOf } from '../in-memory/loaded-fixture.ts';
import type { StoredAction } from '../store/action-rows.ts';
import { stocksOfUniverse } from './screened-universe.ts';

const panel = listedPanel(marketBars({ seed: 3, tickers: 6, days: 120 }));
const { tickers, dates } = panel.columns;
const [first, second, third] = tickers as [string, string, string];
const [LAST, BEFORE] = [dates.at(-1)!, dates.at(-2)!];

const joined = (ticker: string, ex_date: string): StoredAction => ({
  ticker,
  kind: 'index_membership',
  ex_date,
  known_on: ex_date,
  index: 'Two',
  membership: 'joined',
  status: 'stated',
});
const loaded = loadedOf(panel, {}, undefined, [joined(second, dates[0]!), joined(third, LAST)]);
const named = (wanted: string[], as_of?: string) =>
  stocksOfUniverse(loaded, { universe: { tickers: wanted }, as_of });

describe('the stocks of a universe', () => {
  test('are named in upper case, once, in the order of their first mention, with those that no stock has', () => {
    expect(named([` ${first.toLowerCase()} `, 'zzzz', first])).toEqual({
      as_of: LAST,
      tickers: [first, 'ZZZZ'],
      dataset_version: loaded.dataset.version,
    });
  });

  test('have the members of the day in the place of an index', () => {
    expect(named(['universe:two', second]).tickers).toEqual([second, third]);
    expect(named(['universe:two'], BEFORE)).toMatchObject({ as_of: BEFORE, tickers: [second] });
  });

  test('of a sector are all stocks of it', () => {
    const { sector } = panel.columns.listing;
    const universe = { sector: sector[0]!.toUpperCase(), tickers: [] };
    expect(stocksOfUniverse(loaded, { universe }).tickers).toEqual(
      tickers.filter((_, stock) => sector[stock] === sector[0]),
    );
  });

  test('are not_found for an unknown index, and where no stock has any of the tickers', () => {
    expect(() => named([first, 'universe:ten'])).toThrow(
      expect.objectContaining({
        code: 'not_found',
        message: expect.stringContaining("universe 'TEN'") as string,
      }),
    );
    expect(() => named(['zzzz', 'zzzy'])).toThrow(expect.objectContaining({ code: 'not_found' }));
  });
});
