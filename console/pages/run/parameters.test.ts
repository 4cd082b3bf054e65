import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultsOf, enteredOf, membersOf, paramsOf, type Parameters } from './parameters.ts';

const PARAMETERS: Parameters = {
  min_price: { type: 'integer', default: 500, min: 100, max: 5000 },
  min_daily_val: { type: 'integer', default: 10_000_000_000, min: 1e8, max: 1e11 },
  target_gain: { type: 'float', default: 0.1, min: 0.05, max: 0.3 },
  horizon: { type: 'integer', default: 20, options: [10, 20, 30, 40] },
  strategy: { type: 'string', default: 'Gated', options: ['Gated', 'Hybrid Score'] },
  use_ml: { type: 'boolean', default: true },
  analysis_date: { type: 'date', default: 'today' },
  cycles: { type: 'array', default: [45, 90], items: { type: 'integer' } },
  positions: {
    type: 'array',
    default: [],
    items: { type: 'object', properties: { ticker: {}, pnl_input: {}, avg_price_input: {} } },
  },
  tickers: { type: 'array', default: null, items: { type: 'string' } },
};

const anyLanguage = fc.constantFrom('en' as const, 'id' as const);

test('an untouched form sends no parameters', () => {
  expect(paramsOf(PARAMETERS, defaultsOf(PARAMETERS, 'en'), 'en')).toEqual({});
});

test('the form sends the parameters it shows unchanged, also after the language was changed', () => {
  const anyParams = fc.record({
    min_price: fc.integer(),
    min_daily_val: fc.integer({ min: -1e12, max: 1e13 }).map((number) => number * 500),
    target_gain: fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    horizon: fc.constantFrom(10, 30, 40),
    strategy: fc.constant('Hybrid Score'),
    use_ml: fc.boolean(),
    analysis_date: fc.constantFrom('2026-09-30', 'today'),
    cycles: fc.array(fc.integer({ min: 1, max: 720 })),
    positions: fc.array(
      fc.record({ ticker: fc.constantFrom('BBCA', '1234'), pnl_input: fc.integer({ min: -99, max: 900 }) }),
    ),
    tickers: fc.array(fc.constantFrom('BBCA', '1234'), { minLength: 1 }),
  });
  fc.assert(
    fc.property(anyParams, anyLanguage, anyLanguage, (params, shown, read) => {
      const entered = Object.fromEntries(
        Object.entries(params).map(([name, value]) => [name, enteredOf(PARAMETERS[name]!, value, shown)]),
      );
      const sent: object = {
        ...Object.fromEntries(Object.entries(PARAMETERS).map(([name, { default: of }]) => [name, of])),
        ...paramsOf(PARAMETERS, entered, read),
      };
      expect(JSON.stringify(sent)).toBe(
        JSON.stringify(
          Object.fromEntries(Object.keys(PARAMETERS).map((name) => [name, params[name as 'cycles']])),
        ),
      );
    }),
  );
});

test('text in a number field is sent as entered, for the API to refuse', () => {
  expect(
    paramsOf(PARAMETERS, { ...defaultsOf(PARAMETERS, 'en'), min_price: 'many', cycles: '45, x' }, 'en'),
  ).toEqual({
    min_price: 'many',
    cycles: [45, 'x'],
  });
});

test('row members come from the schema of the items; a list of plain values has none', () => {
  expect(membersOf(PARAMETERS['positions']!)).toEqual(['ticker', 'pnl_input', 'avg_price_input']);
  expect(membersOf(PARAMETERS['cycles']!)).toBeUndefined();
});
