import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ServiceError } from '#foundation/errors/service-error.ts';
import type { Parameter } from '#models/inputs/parameters.ts';
import { MODELS } from '#models/registry.ts';
import { modelOf, typeOf } from './catalogue.ts';
import { completeParams, type Params } from './parameters.ts';

const confluence = modelOf('confluence_filter');
const recovery = modelOf('recovery_v4');

function refusalOf(params: Params, model = confluence): ServiceError {
  try {
    completeParams(model, params);
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error(`accepted ${JSON.stringify(params)}`);
}

const isWhole = (text: string) => text.isWellFormed();
const refusedNames = (error: ServiceError) => error.detail.map(({ loc }) => loc[2]);

const isoDay = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

function validValue(parameter: Parameter): fc.Arbitrary<unknown> {
  const { enum: options, minimum: min, maximum: max } = parameter;
  const type = typeOf(parameter);
  if (options) return fc.constantFrom(...options);
  if (type === 'boolean') return fc.boolean();
  if (type === 'date') return fc.oneof(fc.constant('today'), isoDay);
  if (type === 'array') return fc.constant(parameter.minItems ? ['bbca', 'universe:LQ45'] : []);
  if (type === 'integer') return fc.integer({ min: min!, max: max! });
  return fc.double({ min: min!, max: max!, noNaN: true });
}

function wrongType(parameter: Parameter): fc.Arbitrary<unknown> {
  const type = typeOf(parameter);
  const values: [unknown, string[]][] = [
    ['true', ['string']],
    ['5', ['string']],
    [true, ['boolean']],
    [7, ['integer', 'float']],
    [7.5, ['float']],
    [NaN, []],
    [Infinity, []],
    [null, []],
    [{}, []],
    [[1], ['array']],
    ['2025-02-30', ['string']],
    ['28-06-2024', ['string']],
  ];
  const wrong = values.filter(([, types]) => !types.includes(type)).map(([value]) => value);
  return fc.constantFrom(...wrong.filter((value) => value !== null || parameter.default !== null));
}

describe.each(MODELS)('parameters of $id', (model) => {
  const valid = fc.record(
    Object.fromEntries(Object.entries(model.params).map(([name, entry]) => [name, validValue(entry)])),
    { requiredKeys: [] },
  );

  test('given values are kept and missing ones get their defaults, in schema order', () => {
    fc.assert(
      fc.property(valid, (given) => {
        const params = completeParams(model, given);
        const names = Object.keys(model.params).filter((name) => name !== 'tickers' || name in given);
        expect(Object.keys(params)).toEqual(names);
        for (const name of names) {
          const { default: missing } = model.params[name]!;
          expect(params[name]).toEqual(Object.hasOwn(given, name) ? given[name] : missing);
        }
      }),
    );
  });

  test.each(Object.keys(model.params))('a wrong type for %s is refused with the parameter’s name', (name) => {
    fc.assert(
      fc.property(valid, wrongType(model.params[name]!), (given, wrong) => {
        const error = refusalOf({ ...given, [name]: wrong }, model);
        expect(error.code).toBe('invalid_request');
        expect(error.detail[0]!.loc.slice(0, 3)).toEqual(['body', 'params', name]);
        expect(error.message).toContain(name);
      }),
    );
  });

  test('numbers beyond a bound are refused; the bounds themselves are accepted', () => {
    for (const [name, { minimum: min, maximum: max, type }] of Object.entries(model.params)) {
      if (min === undefined || max === undefined) continue;
      const step = type === 'integer' ? 1 : 1e-9;
      expect(completeParams(model, { [name]: min })[name]).toBe(min);
      expect(completeParams(model, { [name]: max })[name]).toBe(max);
      expect(refusalOf({ [name]: min - step }, model).detail[0]!.type).toBe('greater_than_equal');
      expect(refusalOf({ [name]: max + step }, model).detail[0]!.type).toBe('less_than_equal');
    }
  });

  test('all errors are reported together', () => {
    const names = Object.keys(model.params);
    const given = Object.fromEntries(names.map((name) => [name, null]));
    expect(refusedNames(refusalOf({ ...given, made_up: 1 }, model))).toEqual([
      'made_up',
      ...names.filter((name) => name !== 'tickers'),
    ]);
  });

  test('tickers stay out of parameters if they are not sent, or null', () => {
    expect(completeParams(model)).not.toHaveProperty('tickers');
    expect(completeParams(model, { tickers: null })).toEqual(completeParams(model));
  });
});

test('an unknown parameter is refused with the list of known parameters', () => {
  const error = refusalOf({ look_back: 5 });
  expect(error.message).toMatch(/look_back.*analysis_date, lookback, min_signals/);
  expect(error.detail[0]).toMatchObject({ loc: ['body', 'params', 'look_back'], type: 'extra_forbidden' });
});

test.each([
  [[], 'must have at least 1 item', []],
  [['BBCA', ' '], 'must be a ticker', [1]],
  [['BBCA', 7], 'must be a ticker', [1]],
  [Array.from({ length: 1_001 }, (_, i) => `T${i}`), 'must have at most 1000 items', []],
])('tickers %# are refused, and the message says what is allowed', (tickers, msg, path) => {
  const [mistake] = refusalOf({ tickers }).detail;
  expect(mistake!.msg).toContain(msg);
  expect(mistake!.loc).toEqual(['body', 'params', 'tickers', ...path]);
});

test('several unknown parameters are all refused, with one list of the known parameters', () => {
  const error = refusalOf({ look_back: 5, max_pick: 1, 'min signals': 2 });
  expect(refusedNames(error)).toEqual(['look_back', 'max_pick', 'min signals']);
  expect(JSON.stringify(error.detail).match(/its parameters are/g)).toHaveLength(1);
});

test('a refusal never splits a Unicode character, whatever name or value it quotes', () => {
  const anyText = fc.string({ unit: fc.constantFrom('a', '"', '\0', 'é', '😀'), maxLength: 150 });
  fc.assert(
    fc.property(anyText, anyText, (name, value) => {
      fc.pre(!Object.hasOwn(confluence.params, name));
      const error = refusalOf({ [name]: 1, lookback: value });
      expect([error.code, error.message.isWellFormed()]).toEqual(['invalid_request', true]);
      expect(
        error.detail
          .flatMap(({ loc, input }) => [...loc, input])
          .map(String)
          .every(isWhole),
      ).toBe(true);
    }),
  );
});

test.each(['constructor', 'toString', 'hasOwnProperty'])(
  '%s is refused like any unknown parameter',
  (name) => {
    expect(refusedNames(refusalOf({ [name]: 1 }))).toEqual([name]);
  },
);

test('a value that is not an option is refused with the list of options', () => {
  expect(refusalOf({ horizon: 15 }, recovery).message).toContain('10, 20, 30, 40');
});

test('an error stays small, however large the request that caused it', () => {
  const given = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`${'x'.repeat(500)}${i}`, 'y']));
  const error = refusalOf({ ...given, analysis_date: 'z'.repeat(100_000) });
  expect(error.message.length).toBeLessThan(8_000);
  expect(JSON.stringify(error.detail).length).toBeLessThan(16_000);
});

test('a change to the params of one run leaves the defaults unchanged', () => {
  const first = completeParams(recovery);
  (first['positions'] as unknown[]).push('changed');
  expect(completeParams(recovery)['positions']).toEqual([]);
});

describe('positions', () => {
  const positions = (items: unknown[]) => completeParams(recovery, { positions: items })['positions'];

  test('keep the ticker and the one number given', () => {
    expect(positions([{ ticker: 'bbca', pnl_input: -12.5, avg_price_input: null }])).toEqual([
      { ticker: 'bbca', pnl_input: -12.5 },
    ]);
    expect(positions([{ ticker: 'TLKM', avg_price_input: 3150 }])).toEqual([
      { ticker: 'TLKM', avg_price_input: 3150 },
    ]);
  });

  test.each([
    ['no object', 'BBCA', [0]],
    ['both numbers', { ticker: 'BBCA', pnl_input: 1, avg_price_input: 1 }, [0]],
    ['neither number', { ticker: 'BBCA' }, [0]],
    ['no ticker', { pnl_input: 1 }, [0, 'ticker']],
    ['a loss of everything', { ticker: 'BBCA', pnl_input: -100 }, [0, 'pnl_input']],
    ['a price of nothing', { ticker: 'BBCA', avg_price_input: 0 }, [0, 'avg_price_input']],
    ['a profit beyond all reason', { ticker: 'BBCA', pnl_input: 1e6 }, [0, 'pnl_input']],
    ['a price beyond all reason', { ticker: 'BBCA', avg_price_input: 1e10 }, [0, 'avg_price_input']],
    ['a price of next to nothing', { ticker: 'BBCA', avg_price_input: 1e-9 }, [0, 'avg_price_input']],
    ['a number in quotes', { ticker: 'BBCA', pnl_input: '5' }, [0, 'pnl_input']],
    ['a member that there is not', { ticker: 'BBCA', pnl_input: 5, note: 'x' }, [0, 'note']],
    ['such a member that is null', { ticker: 'BBCA', pnl_input: 5, note: null }, [0, 'note']],
  ])('with %s are refused', (_, item, path) => {
    expect(refusalOf({ positions: [item] }, recovery).detail[0]!.loc).toEqual([
      'body',
      'params',
      'positions',
      ...path,
    ]);
  });

  test('report the known members for an unknown one, and also the missing number', () => {
    const { detail } = refusalOf({ positions: [{ ticker: 'BBCA', shares: 100 }] }, recovery);
    expect(detail.map(({ loc, type }) => [loc.slice(2), type])).toEqual([
      [['positions', 0], 'value_error'],
      [['positions', 0, 'shares'], 'extra_forbidden'],
    ]);
    expect(detail[1]!.msg).toContain('ticker, pnl_input, avg_price_input');
  });

  test('are limited to 100', () => {
    const item = { ticker: 'BBCA', pnl_input: 1 };
    expect(positions(Array(100).fill(item))).toHaveLength(100);
    expect(refusalOf({ positions: Array(101).fill(item) }, recovery).detail[0]!.type).toBe('too_long');
  });
});
