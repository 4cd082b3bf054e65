import { describe, expect, test } from 'vitest';
import type { RuleFields } from '../field-type.ts';
import { completionsAt } from './completions.ts';

const FIELDS: RuleFields = new Map([
  ['close', { type: 'number', unit: 'idr_per_share' }],
  ['rsi_14', { type: 'number', unit: 'points' }],
  ['sector', { type: 'text', unit: 'none', values: ['Energy', "Farmers' Goods"] }],
  ['is_liquid', { type: 'boolean', unit: 'none' }],
]);

/** What is offered where the text has a `|`. */
const offered = (text: string) => completionsAt(text.replace('|', ''), text.indexOf('|'), FIELDS).options;

describe('completions', () => {
  test.each([
    ['c|', ['close', 'percentile(', 'change(', 'sector']],
    ['close < 5 and r|', ['rsi_14', 'rank(', 'bottom_rank(', 'percentile(', 'sector']],
    [
      'close |',
      [
        'not',
        '!=',
        'between',
        'in (',
        'crossed above',
        'crossed below',
        'is null',
        'is not null',
        '<',
        '<=',
        '>=',
        '>',
        '=',
      ],
    ],
    ['sector |', ['not', '!=', 'in (', 'is null', 'is not null', '=']],
    ['is_liquid |', ['!=', 'is null', 'is not null', '=', 'and', 'or', 'sort by', 'limit']],
    ['is_liquid = |', ['true', 'false']],
    ['close > 5 |', ['and', 'or', 'sort by', 'limit']],
    ['close > r|', ['rsi_14']],
    ['sector = |', ["'Energy'", "'Farmers'' Goods'"]],
    ["sector in ('en|", ["'Energy'"]],
    ["sector in ('Energy', |", ["'Energy'", "'Farmers'' Goods'"]],
    ['rank(r|', ['rsi_14']],
    ['rank(close) b|', ['between', 'crossed above', 'crossed below']],
    ['close > 5 sort by is|', ['is_liquid']],
    ['close > 5 sort by close |', ['asc', 'desc', 'limit']],
    ['close crossed above r|', ['rsi_14']],
    ['close > 5 sort by close limit 3 |', []],
    ['|', ['not', 'rank(', 'bottom_rank(', 'percentile(', 'change(', 'sort by', 'limit']],
    ['close > ; c|', []],
  ])('at the cursor of %s are what the grammar takes there', (text, expected) => {
    expect(new Set(offered(text))).toEqual(new Set(expected));
  });

  test('begin with what is typed before those that only hold it', () => {
    expect(offered('r|').slice(0, 2)).toEqual(['rsi_14', 'rank(']);
  });

  test('replace the word before the cursor, in the middle of rules too', () => {
    expect(completionsAt('rsi_14 < 35 and clo > 5', 19, FIELDS)).toEqual({
      from: 16,
      options: ['close'],
      subject: 'rsi_14',
    });
  });
});
