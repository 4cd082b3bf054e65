import { INDONESIAN } from '#models/fixtures/read-result-fixture.ts';
import { LANGUAGES } from '#foundation/text/languages.ts';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { defaultsOf } from '#models/inputs/parameters.ts';
import { MODELS } from '#models/registry.ts';
import { modelOf, parameterEntry, typeOf } from './catalogue.ts';
import { completeParams } from './parameters.ts';

test('the contract’s six models come first and in its order; internal models are not published', () => {
  expect(MODELS.slice(0, 6).map(({ id, name, category }) => [id, name, category])).toEqual([
    ['regime_adaptive_v6', 'Model A: Regime Adaptive', 'swing'],
    ['gann_classic_v7', 'Model B: Cycle Analysis', 'swing'],
    ['gross_alpha_v10', 'Model C: General Purpose', 'swing'],
    ['confluence_filter', 'Model D: Confluence Filter', 'swing'],
    ['recovery_v4', 'Model E: Portfolio Recovery', 'recovery'],
    ['model_f_combined', 'Model F: Combined ML + Signals', 'swing'],
  ]);
  expect(() => modelOf('backtest_v1')).toThrow(expect.objectContaining({ code: 'model_not_found' }));
  expect(() => modelOf('__proto__')).toThrow(expect.objectContaining({ code: 'model_not_found' }));
});

test('of the contract’s six models only recovery_v4 and model_f_combined have a compact view', () => {
  const compact = MODELS.slice(0, 6).filter((model) => model.views.includes('compact'));
  expect(compact.map((model) => model.id)).toEqual(['recovery_v4', 'model_f_combined']);
});

/** Names of parameters and of result fields in a text, without duplicates. */
const codesIn = (text: string) => [...new Set(text.match(/\b[a-z]+(_[a-z]+)+\b/g))].toSorted();

describe.each(MODELS)('$id', (model) => {
  test('accepts its own defaults', () => {
    const published = Object.entries(model.params).map(
      ([name, definition]) => [name, definition.default] as const,
    );
    expect(completeParams(model)).toEqual(defaultsOf(model.params));
    expect(completeParams(model, Object.fromEntries(published))).toEqual(defaultsOf(model.params));
  });

  test('explains its purpose and each parameter in both languages', () => {
    for (const { meaning } of Object.values(model.params))
      for (const language of LANGUAGES) expect(meaning.in[language]).toMatch(/^[A-Z].{15,}\.$/);
    for (const text of Object.values(model.explanation))
      for (const language of LANGUAGES) expect(text.in[language]).toMatch(/^[A-Z].{40,}\.$/);
  });

  test('keeps the languages apart and uses the same parameter names in both', () => {
    const texts = [
      ...Object.values(model.params).map(({ meaning }) => meaning),
      ...Object.values(model.explanation),
    ];
    for (const {
      in: { id, en },
    } of texts) {
      expect(en).not.toMatch(INDONESIAN);
      expect(codesIn(en)).toEqual(codesIn(id));
    }
  });

  test('has bounds only on numeric parameters and an item schema on arrays only', () => {
    for (const parameter of Object.values(model.params)) {
      const { minimum, maximum, items } = parameter;
      const type = typeOf(parameter);
      if (minimum !== undefined || maximum !== undefined) expect(['integer', 'float']).toContain(type);
      expect(items !== undefined).toBe(type === 'array');
    }
  });
});

const ORDERS = {
  model_f_combined:
    'analysis_date min_price min_daily_val min_probability min_signals prob_weight signal_penalty strategy ' +
    'target_gain stop_loss max_picks tickers',
  recovery_v4: 'analysis_date horizon positions tickers',
};

test.each(Object.entries(ORDERS))('%s has the parameters of the contract in its order', (id, names) => {
  expect(Object.keys(modelOf(id).params)).toEqual(names.split(' '));
});

test('array parameters publish their item schema and maximum length', () => {
  const { positions } = modelOf('recovery_v4').params;
  expect(parameterEntry(positions!, 'id')).toMatchObject({
    max_items: 100,
    items: {
      type: 'object',
      required: ['ticker'],
      additionalProperties: false,
      oneOf: [{ required: ['pnl_input'] }, { required: ['avg_price_input'] }],
      properties: {
        ticker: { type: 'string', pattern: '^[A-Za-z0-9-]{1,12}$' },
        pnl_input: { type: 'number', exclusiveMinimum: -100, maximum: 100_000 },
        avg_price_input: { type: 'number', minimum: 0.01, maximum: 1e9 },
      },
    },
  });
  expect(parameterEntry(modelOf('gann_classic_v7').params['cycles']!, 'id')).toMatchObject({
    max_items: 100,
    items: { type: 'integer', minimum: 1, maximum: 720 },
  });
});

test('the published item schema is valid JSON Schema and accepts what a run accepts', () => {
  const published = parameterEntry(modelOf('recovery_v4').params['positions']!, 'id').items!;
  const check = new Ajv({ strict: true, strictRequired: false }).compile(published);
  expect(check({ ticker: 'BBCA', pnl_input: -12.5 })).toBe(true);
  for (const wrong of [
    { ticker: 'BBCA' },
    { ticker: 'BBCA', pnl_input: -100 },
    { ticker: 'BBCA', pnl_input: 1, x: 1 },
  ])
    expect(check(wrong)).toBe(false);
});
