import { expect, test } from 'vitest';
import type { Schemas } from '#client/index.ts';
import { FIELDS } from '#fields/catalogue/catalogue.ts';
import { needsOf } from '#fields/rules/needs.ts';
import { parseRules } from '#fields/rules/parse-rules.ts';
import { draftOf, EXAMPLES, isSame, requestOf, type Draft } from './draft.ts';

const screenOf = (universe: Schemas['Screen']['universe']) =>
  ({ rules_text: 'rsi_14 < 35', universe }) as Schemas['Screen'];

test.each([
  [null],
  [{ sector: 'Energy' }],
  [{ watchlist_id: 'wl_5f0c6f1e9a3b4d2c8e7f6a5b' }],
  [{ tickers: ['BBCA', 'universe:LQ45'] }],
])('opening a screen and saving it unchanged keeps its stocks: %j', (universe) => {
  expect(requestOf(draftOf(screenOf(universe)))).toEqual({
    rules: 'rsi_14 < 35',
    ...(universe && { universe }),
  });
});

test('tickers may be separated by commas, spaces or both', () => {
  const draft: Draft = { rules: '', among: 'tickers', named: ' bbca,BBRI  tlkm ,' };
  expect(requestOf(draft)).toEqual({ rules: '', universe: { tickers: ['bbca', 'BBRI', 'tlkm'] } });
});

test('a draft is the same as another if it asks for the same', () => {
  const saved = draftOf(screenOf({ tickers: ['BBCA', 'BBRI'] }));
  expect(isSame(saved, { ...saved, named: 'BBCA BBRI' })).toBe(true);
  expect(isSame(saved, { ...saved, named: 'BBCA' })).toBe(false);
  expect(isSame(saved, { ...saved, rules: 'rsi_14 < 30' })).toBe(false);
});

test.each(Object.entries(EXAMPLES))(
  'the example %s is valid, and counted while it is shown',
  (_name, rules) => {
    expect(needsOf(parseRules(rules, FIELDS)).daysBack).toBe(0);
  },
);
