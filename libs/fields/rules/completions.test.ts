import { describe, expect, test } from 'vitest';
import type { RuleFields } from '../field-type.ts';
import { completionsAt, mayBeUnfinished } from './completions.ts';
import { parseRules } from './parse-rules.ts';
import { RulesError } from './rules-error.ts';

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
    ['close > 5 and rank(r|', ['rsi_14']],
    ['rank(close) |', ['not', '!=', 'between', '<', '<=', '>=', '>', '=']],
    ['rank(close) < r|', []],
    ['sector = en|', ["'Energy'"]],
    ['sector = "far|', ['"Farmers\' Goods"']],
    ['is_liquid = t|', ['true']],
    ['rank(close) b|', ['between']],
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
    expect(completionsAt('rsi_14 < 35 and clse > 5', 18, FIELDS)).toEqual({
      from: 16,
      to: 20,
      options: ['close'],
      subject: undefined,
    });
  });

  test('stand where every one of them leads on: none is refused where it was offered', () => {
    const begun = [
      'c',
      'close ',
      'close > r',
      'rank(close) ',
      'sector ',
      "sector = 'E",
      'is_liquid ',
      'close > 1 ',
      'close > 1 sort by s',
    ];
    for (const text of begun) {
      const { from, to, options } = completionsAt(text, text.length, FIELDS);
      expect(options, text).not.toEqual([]);
      for (const option of options) {
        const written = `${text.slice(0, from)}${option} ${text.slice(to)}`;
        const mistake = mistakeIn(written);
        const isRight = mistake === undefined || mayBeUnfinished(written, mistake, FIELDS);
        expect(isRight, `${written}: ${mistake?.message}`).toBe(true);
      }
    }
  });

  test('of very long rules are none, at once', () => {
    expect(completionsAt('a'.repeat(1_000_000), 500_000, FIELDS).options).toEqual([]);
  });
});

function mistakeIn(text: string): RulesError | undefined {
  try {
    parseRules(text, FIELDS);
    return undefined;
  } catch (error) {
    if (error instanceof RulesError) return error;
    throw error;
  }
}

test.each([
  ['clo', true],
  ['close ', true],
  ['rank(close) ', true],
  ['close >', true],
  ['close > -', true],
  ['is_liquid !', true],
  ["sector = 'Basic M", true],
  ['close > 5 and ', true],
  ['clse > 5', false],
  ['close > 5 5', false],
  ['close > 5 limit 5000', false],
  ['close > ; ', false],
  ["sector = 'Enegy'", false],
])('the mistake of %s may vanish while it is written on: %j', (text, expected) => {
  expect(mayBeUnfinished(text, mistakeIn(text)!, FIELDS)).toBe(expected);
});
