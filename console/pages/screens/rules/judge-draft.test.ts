import { describe, expect, test } from 'vitest';
import { oneDayMarket } from '#fields/evaluation/one-day.ts';
import type { RuleFields } from '#fields/field-type.ts';
import { EMPTY, type Draft } from './draft.ts';
import { count, spreadOf, writtenOf } from './judge-draft.ts';

const FIELDS: RuleFields = new Map([
  ['close', { type: 'number', unit: 'idr_per_share' }],
  ['sector', { type: 'text', unit: 'none' }],
  ['is_liquid', { type: 'boolean', unit: 'none' }],
  ['imported_since', { type: 'number', unit: 'none' }],
]);
const MARKET = oneDayMarket(
  {
    tickers: ['AAAA', 'BBBB', 'CCCC', 'DDDD'],
    values: {
      close: [100, 400, null, 200],
      sector: ['Energy', 'Energy', 'Finance', null],
      is_liquid: [true, true, true, false],
    },
  },
  FIELDS,
);
const counted = (rules: string, draft: Partial<Draft> = {}) => {
  const written = writtenOf(rules, FIELDS);
  if ('mistake' in written) throw written.mistake;
  return count(written.rules, { ...EMPTY, rules, ...draft }, MARKET);
};

describe('a draft', () => {
  test.each([
    ['close > 50 sort by close desc', {}, { matched: 3, screened: 4, tickers: ['BBBB', 'DDDD', 'AAAA'] }],
    ['not close > 150', {}, { matched: 1, screened: 4, tickers: ['AAAA'] }],
    ['rank(close) = 1', {}, { matched: 1, screened: 4, tickers: ['BBBB'] }],
    [
      'close > 50',
      { among: 'sector', named: 'Energy' },
      { matched: 2, screened: 2, tickers: ['AAAA', 'BBBB'] },
    ],
    ['close > 50', { among: 'tickers', named: 'dddd, CCCC' }, { matched: 1, screened: 2, tickers: ['DDDD'] }],
    ['close > 50', { among: 'tickers', named: 'universe:LQ45' }, 'known elsewhere'],
    ['close > 50', { among: 'watchlist', named: 'wl_1' }, 'known elsewhere'],
    [
      'close > 50',
      { among: 'tickers', named: ' , ' },
      { matched: 3, screened: 4, tickers: ['AAAA', 'BBBB', 'DDDD'] },
    ],
    [
      'close > 50',
      { among: 'sector', named: 'energy' },
      { matched: 2, screened: 2, tickers: ['AAAA', 'BBBB'] },
    ],
    ['close > 50', { among: 'sector', named: 'Farming' }, 'known elsewhere'],
    ['imported_since > 5', {}, 'known elsewhere'],
    ['change(close, 5d) > 3%', {}, 'looks back'],
  ] as const)('%s with %j counts as %j', (rules, draft, expected) => {
    expect(counted(rules, draft)).toEqual(expected);
  });

  test('knows where the values of a number lie, and nothing of texts', () => {
    expect(spreadOf('close', MARKET)).toEqual({ lowest: 100, median: 200, highest: 400 });
    expect(spreadOf('sector', MARKET)).toBeUndefined();
  });
});
