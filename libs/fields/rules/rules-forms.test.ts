import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatRules } from './format-rules.ts';
import { parseRules } from './parse-rules.ts';
import { readRules } from './read-rules.ts';
import { arbitraryRules, FIELDS, SECTORS } from './rules-fixture.ts';
import { LIMITS, type Condition, type Rules } from './rules.ts';
import { RulesError } from './rules-error.ts';
import { RESERVED } from './text-words.ts';

const parse = (text: string) => parseRules(text, FIELDS);

describe('the two forms of rules', () => {
  test('have one meaning', () => {
    expect(
      parse(
        'rsi_14 < 35 and (ret_20d >= -5% or not sector in ("Energy", \'a "b"\')) and is_liquid ' +
          'sort by value_20d desc, close limit 20',
      ),
    ).toEqual({
      where: {
        all: [
          { field: 'rsi_14', below: 35 },
          {
            any: [{ field: 'ret_20d', at_least: -5 }, { not: { field: 'sector', in: ['Energy', 'a "b"'] } }],
          },
          { field: 'is_liquid', equal: true },
        ],
      },
      sort: [
        { field: 'value_20d', order: 'desc' },
        { field: 'close', order: 'asc' },
      ],
      limit: 20,
    });
  });

  test.each<[Condition, string]>([
    [
      { any: [{ field: 'rsi_14', below: 35 }, { not: { field: 'is_liquid', equal: true } }] },
      'rsi_14 < 35 or not is_liquid',
    ],
    [{ field: 'close', above: 100 }, 'close > 100'],
  ])('a condition alone stands for rules: %j', (condition, text) => {
    expect(readRules(condition, FIELDS)).toEqual(parse(text));
    expect(() => readRules({ ...condition, limit: 5 }, FIELDS)).toThrow(RulesError);
  });

  test.each<[string, Condition]>([
    ['close > 1.02 * sma_20', { field: 'close', above: { field: 'sma_20', times: 1.02 } }],
    ['close <= sma_20 * 1_000', { field: 'close', at_most: { field: 'sma_20', times: 1000 } }],
    ['close != 5', { not: { field: 'close', equal: 5 } }],
    ['RSI_14 Between 1e1 AND 30', { field: 'rsi_14', between: [10, 30] }],
    ['rsi_14 not between 10 and 30', { not: { field: 'rsi_14', between: [10, 30] } }],
    [
      'close crossed above sma_20 within 5 days',
      { field: 'close', crossed_above: { field: 'sma_20', times: 1 }, within_days: 5 },
    ],
    ['close crossed below 100', { field: 'close', crossed_below: 100, within_days: 1 }],
    ['rank(value_20d) <= 50', { field: 'value_20d', as: 'rank', at_most: 50 }],
    ['percentile(ret_20d) >= 90%', { field: 'ret_20d', as: 'percentile', at_least: 90 }],
    ['change(close, 5d) > 3%', { field: 'close', as: 'change_pct', days: 5, above: 3 }],
    ['change(close, 5 days) > 3', { field: 'close', as: 'change', days: 5, above: 3 }],
    ['rsi_14 is null', { field: 'rsi_14', is_null: true }],
    ['rsi_14 is not null', { field: 'rsi_14', is_null: false }],
    ['not is_liquid', { not: { field: 'is_liquid', equal: true } }],
    ['Model.Rank <= 5', { field: 'model.rank', at_most: 5 }],
    ['rsi_14 > 2 * model.rank', { field: 'rsi_14', above: { field: 'model.rank', times: 2 } }],
    ['change(model.rank, 5d) < 0', { field: 'model.rank', as: 'change', days: 5, below: 0 }],
    ["sector = 'Int''l trade'", { field: 'sector', equal: "Int'l trade" }],
  ])('both say %s', (text, where) => {
    expect(parse(text)).toEqual({ where });
    expect(readRules({ where }, FIELDS)).toEqual({ where });
  });

  test('translate into each other without loss', () => {
    fc.assert(
      fc.property(arbitraryRules, (rules) => {
        expect(readRules(JSON.parse(JSON.stringify(rules)), FIELDS)).toEqual(rules);
        expect(parse(formatRules(rules))).toEqual(rules);
      }),
      { numRuns: 1000 },
    );
  });

  test('are as short as the limits allow even at the limits', () => {
    const longest = "'".repeat(LIMITS.wordLength);
    const tests = Array.from({ length: LIMITS.tests }, (_, i) =>
      i === 0
        ? { field: 'sector', in: Array<string>(LIMITS.items).fill(longest) }
        : {
            not: {
              field: 'value_20d',
              crossed_above: { field: 'value_20d', times: -1.2345678901234567e-101 },
            },
          },
    );
    const rules = readRules({ where: { all: tests } }, FIELDS);
    expect(parse(formatRules(rules))).toEqual(rules);
  });

  test('reserve words that no test field has', () => {
    for (const name of FIELDS.keys()) expect(RESERVED.has(name)).toBe(false);
  });
});

describe('reading the JSON form', () => {
  test('fills in defaults and leaves out what says nothing', () => {
    const input = {
      where: { all: [{ any: [{ field: 'close', crossed_above: { field: 'sma_20' } }] }] },
      sort: [],
    };
    expect(readRules(input, FIELDS)).toEqual({
      where: { field: 'close', crossed_above: { field: 'sma_20', times: 1 }, within_days: 1 },
    });
    expect(readRules({ sort: [{ field: 'close' }] }, FIELDS)).toEqual({
      sort: [{ field: 'close', order: 'asc' }],
    });
  });

  const deep = (levels: number): object =>
    levels === 0 ? { field: 'close', above: 1 } : { not: deep(levels - 1) };

  test.each<[object | string, string]>([
    ['where', 'rules: needs an object with where, sort, limit'],
    [{ when: {} }, 'when: no member `when` here, only where, sort, limit; did you mean where?'],
    [{ where: { field: 'rsi14', below: 3 } }, 'where.field: no field `rsi14`; did you mean rsi_14?'],
    [
      { where: { all: [{ any: [{ field: 'close', abov: 3 }] }] } },
      'where.all[0].any[0].abov: no member `abov` here, only field, as, days, below, at_most, at_least, above, equal, ' +
        'between, in, crossed_above, crossed_below, is_null, within_days; did you mean above?',
    ],
    [{ where: { all: [] } }, 'where.all: needs a list of one condition or more'],
    [{ where: [] }, 'where: needs a condition: an object with field, all, any or not'],
    [
      { where: { not: { not: 5 } } },
      'where.not.not: needs a condition: an object with field, all, any or not',
    ],
    [
      { where: { field: 'close' } },
      'where: needs one comparison of below, at_most, at_least, above, equal, between, in, crossed_above, crossed_below, is_null',
    ],
    [
      { where: { field: 'close', below: 3, above: 1 } },
      'where.above: stands beside below, but a condition has one comparison',
    ],
    [{ where: { field: 'close', above: '3' } }, 'where.above: `close` is a number: compare it with a number'],
    [{ where: { field: 'close', above: Infinity } }, 'where.above: needs a number'],
    [
      { where: { field: 'close', between: [3, 1] } },
      'where.between: the lower bound 3 is above the upper bound 1',
    ],
    [{ where: { field: 'close', in: [3, 'x'] } }, 'where.in[1]: needs a number'],
    [{ where: { field: 'sector', above: 3 } }, 'where.above: `sector` is text: use = (equal) or in'],
    [
      { where: { field: 'is_liquid', in: [1] } },
      'where.in: `is_liquid` is true or false: use = (equal) with true or false',
    ],
    [
      { where: { field: 'sector', equal: 3 } },
      'where.equal: `sector` is text: compare it with a text in quotes',
    ],
    [
      { where: { field: 'regime', equal: 'BULLS' } },
      'where.equal: `regime` is never `BULLS`, only BULL, SIDEWAYS, BEAR; did you mean BULL?',
    ],
    [
      { where: { field: 'close', above: { field: 'sector' } } },
      'where.above.field: `sector` is text, not a number',
    ],
    [
      { where: { field: 'close', as: 'rank', above: { field: 'sma_20' } } },
      'where.above: needs a number, because the rank of a field compares only with numbers',
    ],
    [{ where: { field: 'close', as: 'rank', in: [1] } }, 'where.in: needs the field itself, not its rank'],
    [{ where: { field: 'sector', as: 'rank', above: 1 } }, 'where.as: `sector` is text and has no rank'],
    [
      { where: { field: 'close', as: 'rnk', above: 1 } },
      'where.as: needs one of rank, bottom_rank, percentile, change, change_pct; did you mean rank?',
    ],
    [{ where: { field: 'close', as: 'change', above: 1 } }, 'where.days: needs a whole number from 1 to 250'],
    [{ where: { field: 'close', days: 3, above: 1 } }, 'where.days: belongs to change and change_pct only'],
    [
      { where: { field: 'close', within_days: 3, above: 1 } },
      'where.within_days: belongs to crossed_above and crossed_below only',
    ],
    [
      { where: { field: 'close', within_days: 61, crossed_above: 1 } },
      'where.within_days: needs a whole number from 1 to 60',
    ],
    [{ where: { field: 'close', is_null: 1 } }, 'where.is_null: needs true or false'],
    [{ sort: [{ field: 'close', order: 'up' }] }, 'sort[0].order: needs asc or desc'],
    [{ sort: [{ field: 'close' }, { field: 'close' }] }, 'sort[1]: sorts by `close` a second time'],
    [{ limit: 0 }, 'limit: needs a whole number from 1 to 1000'],
    [
      { where: deep(10) },
      `${'where'}${'.not'.repeat(10)}: conditions may lie at most 10 deep inside each other`,
    ],
    [
      { where: { field: 'sector', in: Array<string>(201).fill('a') } },
      'where.in: lists may have at most 200 items in all, and these make 201',
    ],
    [
      { where: { any: Array<object>(51).fill({ field: 'close', above: 1 }) } },
      'where.any[50]: rules may have at most 50 comparisons',
    ],
    [
      { where: { field: 'sector', equal: 'x'.repeat(51) } },
      'where.equal: a text may have at most 50 characters',
    ],
  ])('refuses %j', (input, message) => {
    expect(messageOf(() => readRules(input, FIELDS))).toBe(message);
  });

  test('refuses damaged rules with a place, or returns a normal form that it does not change again', () => {
    const damaged = fc
      .tuple(
        arbitraryRules,
        fc.nat(),
        fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('close', 'asc', 5)),
      )
      .map(([rules, at, value]) => replacedIn(rules, at, value));
    fc.assert(
      fc.property(fc.oneof(arbitraryRules, damaged), (input) => {
        const rules = accepted(input);
        if (rules === undefined) return;
        expect(readRules(rules, FIELDS)).toEqual(rules);
      }),
      { numRuns: 1000 },
    );
  });
});

/** A copy in which one value, counted from the outermost, is another one. */
function replacedIn(rules: Rules, at: number, value: unknown): unknown {
  const values: unknown[] = [];
  JSON.stringify(rules, (_, inner: unknown) => (values.push(inner), inner));
  let count = 0;
  const text = JSON.stringify(rules, (_, inner: unknown) => (count++ === at % values.length ? value : inner));
  return JSON.parse(text) as unknown;
}

function accepted(input: unknown): Rules | undefined {
  try {
    return readRules(input, FIELDS);
  } catch (error) {
    if (error instanceof RulesError) return undefined;
    throw error;
  }
}

function messageOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof RulesError) return error.message;
    throw error;
  }
  return 'nothing was refused';
}

describe('parsing the text form', () => {
  test.each<[string, string]>([
    ['close > 1 and rsi14 < 3', 'column 15: no field `rsi14`; did you mean rsi_14?'],
    ['close > smaa_20', 'column 9: no field `smaa_20`; did you mean sma_20?'],
    ['close > 2 * sctor', 'column 13: no field `sctor`; did you mean sector?'],
    ['xyzzy > 1', 'column 1: no field `xyzzy`'],
    ['model.rnk > 1', 'column 1: no field `model.rnk`; did you mean model.rank?'],
    ['model . rank > 1', 'column 7: `.` means nothing here'],
    ['model.rank. > 1', 'column 11: `.` means nothing here'],
    ['close >', 'column 8: expected a number, a field or a text in quotes after `>`, found the end'],
    ['close > and', 'column 9: expected a number, a field or a text in quotes after `>`, found `and`'],
    ['close > 1 adn rsi_14 < 3', 'column 11: expected and, or, sort by, limit or the end, found `adn`'],
    ['(close > 1', 'column 11: expected ), found the end'],
    ['', 'nothing was refused'],
    ['and close > 1', 'column 1: expected a condition, found `and`'],
    ['close > 1 sort value_20d', 'column 16: expected by, found `value_20d`'],
    ['sort by value20d', 'column 9: no field `value20d`; did you mean value_20d?'],
    ['sort by close desc, close', 'column 21: sorts by `close` a second time'],
    ['close > 1 limit 5000', 'column 17: needs a whole number from 1 to 1000'],
    ['close > 1 limit 5%', 'column 18: expected the end, found `%`'],
    ['ret_20d > 3% * rsi_14', 'column 14: expected and, or, sort by, limit or the end, found `*`'],
    ['close > sma_20 * 3%', 'column 19: expected and, or, sort by, limit or the end, found `%`'],
    ['close > 1 limit 5 limit 6', 'column 19: expected the end, found `limit`'],
    ['sector > 3', 'column 10: `sector` is text: use = (equal) or in'],
    ['sector = Energy', 'column 10: `sector` is text: compare it with a text in quotes'],
    ["rsi_14 in (1, 'a')", 'column 15: needs a number'],
    ["sector in ('a'", 'column 15: expected ), found the end'],
    ["sector = 'abc", "column 10: no closing ' after this one"],
    ['close ~ 3', 'column 7: `~` means nothing here'],
    ['rsi_14 > 3%', 'column 11: `rsi_14` is not compared in percent: leave out %'],
    ['rank(close) < 3%', 'column 16: `close` is not compared in percent: leave out %'],
    ['change(close, 5d) between 3% and 5', 'column 34: needs %, as the other number has it'],
    ['change(close, 5) > 3', 'column 16: expected days, found `)`'],
    ['change(close, 500d) > 3', 'column 15: needs a whole number from 1 to 250'],
    ['change(close, 0.5d) > 3', 'column 15: needs a whole number from 1 to 250'],
    ['close crossed sma_20', 'column 15: expected above or below, found `sma_20`'],
    ['close crossed above sma_20 within 5', 'column 36: expected days, found the end'],
    ['close crossed above sma_20 within 99 days', 'column 35: needs a whole number from 1 to 60'],
    ['close not > 3', 'column 11: expected between or in, found `>`'],
    ['rsi_14', 'column 1: `rsi_14` is a number: compare it with a number'],
    ['close between 5 and 3', 'column 15: the lower bound 5 is above the upper bound 3'],
    ['close > 1e999', 'column 9: needs a number'],
    ["regime = 'BUL'", 'column 10: `regime` is never `BUL`, only BULL, SIDEWAYS, BEAR; did you mean BULL?'],
    [`${'('.repeat(5000)}close > 1`, 'column 11: conditions may lie at most 10 deep inside each other'],
    [`${'not '.repeat(5000)}is_liquid`, 'column 41: conditions may lie at most 10 deep inside each other'],
    [' '.repeat(30_001), 'column 30001: rules may have at most 30000 characters'],
  ])('of %s', (text, message) => {
    expect(messageOf(() => parse(text))).toBe(message);
  });

  test('of 10,000 damaged texts ends with rules, or with an error that names a column within the text', () => {
    const pieces = [
      '(',
      ')',
      ',',
      '%',
      "'",
      '"',
      '*',
      '<',
      '!=',
      '=',
      'not',
      'and',
      'within',
      '5d',
      '\n',
      '🙂',
      '-',
      'null',
    ];
    const damaged = fc
      .tuple(
        arbitraryRules.map(formatRules),
        fc.nat(),
        fc.nat({ max: 6 }),
        fc.constantFrom('', ...pieces, ...SECTORS),
      )
      .map(([text, at, cut, piece]) => {
        const start = at % (text.length + 1);
        return text.slice(0, start) + piece + text.slice(start + cut);
      });
    let refused = 0;
    fc.assert(
      fc.property(damaged, (text) => {
        try {
          const rules = parse(text);
          expect(parse(formatRules(rules))).toEqual(rules);
        } catch (error) {
          if (!(error instanceof RulesError)) throw error;
          refused++;
          const { column } = error.place as { column: number };
          expect(column).toBeGreaterThanOrEqual(1);
          expect(column).toBeLessThanOrEqual(text.length + 1);
        }
      }),
      { numRuns: 10_000 },
    );
    expect(refused).toBeGreaterThan(3_000);
  });
});
