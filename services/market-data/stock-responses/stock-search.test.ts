import { expect, test } from 'vitest';
import { stockSearch } from './stock-search.ts';

const STOCKS = {
  BBCA: 'Bank Central Asia Tbk.',
  BBRI: 'Bank Rakyat Indonesia (Persero) Tbk.',
  BANK: 'Bank Aladin Syariah Tbk.',
  JIHD: 'Jakarta International Hotels & Development Tbk.',
  NONE: '',
};

const found = (search: string) => {
  const isFound = stockSearch(search);
  return Object.entries(STOCKS).flatMap(([ticker, name]) => (isFound(ticker, name) ? [ticker] : []));
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
  expect(found(search)).toEqual(tickers);
});

test.each(['entral', 'bank tbk x', 'BCA', ' ', '&', '.*', '[', '\\'])('%j finds nothing', (search) => {
  expect(found(search)).toEqual([]);
});
