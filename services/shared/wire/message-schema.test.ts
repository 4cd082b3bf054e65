import { ScalarType, type DescField, type DescMessage } from '@bufbuild/protobuf';
import type { TObject } from 'typebox';
import { expect, test } from 'vitest';
import { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import { nameOf } from '../schema.ts';
import { newAjv } from './ajv.ts';
import { messageNamed, methodAt, rulesOf } from './descriptors.ts';
import { jsonOf } from './message-json.ts';
import { answerSchema, mayBeNull, requestSchema } from './message-schema.ts';

const inMarketData = (name: string) => messageNamed(`saring.market_data.v1.${name}`);
const answers = Object.values(MarketDataServiceService).map(({ path }) => methodAt(path)!.output);

/** A message as ts-proto decodes it, with every optional field or without any. */
function sampleOf(message: DescMessage, isFull: boolean): Record<string, unknown> {
  const present = message.fields.filter((field) => isFull || !mayBeNull(field));
  return Object.fromEntries(present.map((field) => [field.name, sampleValue(field, isFull)]));
}

function sampleValue(field: DescField, isFull: boolean): unknown {
  const { words, minimum, format } = rulesOf(field);
  const text = words[0] ?? (format === 'date' ? '2024-06-28' : 'BBCA');
  const values = { [ScalarType.STRING]: text, [ScalarType.BOOL]: true } as Record<number, unknown>;
  const value = field.message ? sampleOf(field.message, isFull) : (values[field.scalar!] ?? minimum ?? 1);
  if (field.fieldKind === 'map') return { BBCA: value };
  return field.fieldKind === 'list' ? [value] : value;
}

const check = (schema: TObject, value: unknown) => {
  const ajv = newAjv();
  return ajv.validate(schema, value) ? [] : ajv.errors;
};

test.each(answers.map((answer) => [answer.name, answer] as const))(
  '%s goes out as its schema says, with whatever it may leave out and without',
  (_name, answer) => {
    for (const isFull of [true, false]) {
      const json = jsonOf(answer)(sampleOf(answer, isFull)) as object;
      expect(check(answerSchema(answer), json)).toEqual([]);
      expect(Object.keys(json)).toEqual(Object.keys(answerSchema(answer).properties));
    }
  },
);

test('what a message leaves out is null, and described as such', () => {
  const { properties } = answerSchema(inMarketData('NegoDay'));
  expect(properties['nego_avg_price']).toMatchObject({
    anyOf: [{ type: 'number' }, { type: 'null' }],
    description:
      'Value / shares of the negotiated trades, adjusted as prices are, IDR; null without negotiated trades.',
  });
  expect(jsonOf(inMarketData('NegoDay'))({ close: 1 })).toMatchObject({ close: 1, nego_avg_price: null });
});

test('an answer without anything that could be null goes out as it was decoded', () => {
  const quotes = { quotes: { BBCA: { close: 1, change_pct: 0, date: '2024-06-28' } }, dataset_version: 'v1' };
  expect(jsonOf(inMarketData('GetQuotesResponse'))(quotes)).toBe(quotes);
});

test('an inline message gives its members, and a list in a message stands alone', () => {
  const answer = jsonOf(inMarketData('GetTurningPointResponse'))({
    turning_point: { score: 3 },
    lookback: 5,
  });
  expect(answer).toEqual({ score: 3, lookback: 5, ret_10d_pct: null, last_traded_date: null });
  const ranking = jsonOf(inMarketData('CompareRanking'))({ return_pct: { tickers: ['BBCA'] } });
  expect(ranking).toEqual({ return_pct: ['BBCA'], bandar_net_value_5d: null });
});

test('a schema has the comment of its message, and the name that the message gives it', () => {
  const schema = answerSchema(inMarketData('GetNegoResponse'));
  expect(nameOf(schema)).toBe('NegoHistory');
  expect(schema).toMatchObject({ description: 'Negotiated trading of one stock.' });
  expect(nameOf(answerSchema(inMarketData('NegoDay')))).toBe('NegoDay');
});

test('the rules of a field come before those of its kind, and both are in its schema', () => {
  const { fields } = inMarketData('CompareRequest');
  expect(requestSchema(fields).properties).toMatchObject({
    tickers: {
      minItems: 1,
      items: { type: 'string', minLength: 1, maxLength: 64 },
      examples: [['BBCA', 'BBRI']],
      description:
        'Ticker codes in any case. Repeated ones count once. At most 10 different ones; more are `too_many_tickers`.',
    },
    days: { type: 'integer', minimum: 1, maximum: 250, default: 20 },
  });
});

test('a request takes the names that REST gives its fields, and nothing else', () => {
  const { fields } = inMarketData('ListBrokerStocksRequest');
  const schema = requestSchema(fields, { names: { broker: 'broker_code' } });
  expect(Object.keys(schema.properties)).toEqual(['broker_code', 'days', 'market', 'top_n', 'sort_by']);
  expect(check(schema, { broker_code: 'AK' })).toEqual([]);
  expect(check(schema, { broker: 'AK' })).not.toEqual([]);
});
