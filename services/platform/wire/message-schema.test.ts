import type { TObject } from 'typebox';
import { expect, test } from 'vitest';
import { ConsentServiceService } from '#proto/saring/consent/v1/consent.ts';
import { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import { CatalogueServiceService } from '#proto/saring/models/v1/catalogue.ts';
import { UsageServiceService } from '#proto/saring/usage/v1/usage.ts';
import { exampleOf, NOON } from '#support/message-examples.ts';
import { nameOf } from '#foundation/schema.ts';
import { newAjv } from './field-errors.ts';
import { messageNamed, methodAt } from './descriptors.ts';
import { jsonOf } from './message-json.ts';
import { responseSchema, isLeftOut, jsonName, requestSchema } from './message-schema.ts';

const inMarketData = (name: string) => messageNamed(`saring.market_data.v1.${name}`);
const inUsage = (name: string) => messageNamed(`saring.usage.v1.${name}`);

/** The services from which REST answers. Bytes with a model's own JSON are not a message. */
const ANSWERING = [
  MarketDataServiceService,
  UsageServiceService,
  ConsentServiceService,
  CatalogueServiceService,
];
/** Used only between services, never as JSON. */
const NOT_OVER_REST = ['FindUnrecordedResponse'];
const responses = ANSWERING.flatMap((service) =>
  Object.values(service).map(({ path }: { path: string }) => methodAt(path)!.output),
).filter(({ name }) => !NOT_OVER_REST.includes(name));
const others = ['models.v1.Backfill', 'keys.v1.ApiKey', 'market_data.v1.Dataset'];
const messages = [...responses, ...others.map((name) => messageNamed(`saring.${name}`))];

const check = (schema: TObject, value: unknown) => {
  const ajv = newAjv();
  return ajv.validate(schema, value) ? [] : ajv.errors;
};

test.each(messages.map((message) => [message.name, message] as const))(
  'the JSON of %s matches its schema, with and without optional fields',
  (_name, message) => {
    const { properties } = responseSchema(message);
    for (const isFull of [true, false]) {
      const json = jsonOf(message)(exampleOf(message, { isFull })) as object;
      expect(check(responseSchema(message), json)).toEqual([]);
      const leftOut = isFull ? [] : message.fields.filter(isLeftOut).map(jsonName);
      expect(Object.keys(json)).toEqual(Object.keys(properties).filter((name) => !leftOut.includes(name)));
    }
  },
);

test('operator-only fields appear only in answers for the operator, under a separate schema name', () => {
  const event = exampleOf(inUsage('UsageEvent'), { isFull: true });
  const [own, all] = ['ListEventsResponse', 'ListAllEventsResponse'].map((name) => {
    const page = { events: [event], count: 1, has_more: false };
    return (jsonOf(inUsage(name))(page) as { events: object[] }).events[0]!;
  });
  expect(Object.keys(all!)).toEqual([...Object.keys(own!), 'api_key_id', 'actor']);
  expect(nameOf(responseSchema(inUsage('UsageEvent')))).toBe('UsageEvent');
  expect(nameOf(responseSchema(inUsage('UsageEvent'), { forOperator: true }))).toBe('AdminUsageEvent');
  const key = messageNamed('saring.keys.v1.ApiKey');
  expect(jsonOf(key)(exampleOf(key, { isFull: true }))).not.toHaveProperty('labels');
});

test('summary rows keep the contract’s member order, and only rows with a key have api_key_id', () => {
  const summary = inUsage('SummarizeAllUsageResponse');
  const row = {
    key: 'a',
    runs: 2,
    succeeded: 1,
    failed: 1,
    last_run_at: NOON,
    avg_duration_seconds: undefined,
  };
  const { rows } = jsonOf(summary)({
    group_by: 'end_user',
    total_runs: 2,
    groups: [{ ...row, api_key_id: 'key_1' }, row],
  }) as { rows: object[] };
  const members = ['key', 'runs', 'succeeded', 'failed', 'avg_duration_seconds', 'last_run_at'];
  expect(rows.map((each) => Object.keys(each))).toEqual([[...members, 'api_key_id'], members]);
  expect(rows[1]).toMatchObject({ avg_duration_seconds: null, last_run_at: '2024-06-28T12:00:00.000+07:00' });
});

test('a timestamp that the service omits is an error, not 1970', () => {
  expect(() => jsonOf(inUsage('EndUser'))({ end_user: 'a', first_seen: NOON })).toThrow('did not say when');
});

test('a field can be nested in an object or written as unix seconds', () => {
  const job = messageNamed('saring.models.v1.Job');
  const json = jsonOf(job)({ ...exampleOf(job, { isFull: false }), error_message: 'Dibatalkan.' });
  expect(json).toMatchObject({ error: { message: 'Dibatalkan.' }, kind: 'model_run' });
  const record = messageNamed('saring.consent.v1.RecordConsentResponse');
  const recorded = jsonOf(record)(exampleOf(record, { isFull: true }));
  expect(recorded).toMatchObject({ ts: NOON.getTime() / 1_000 });
  expect(recorded).not.toHaveProperty('replayed');
});

test('a client may omit optional fields, and send null for them only in a body', () => {
  const { fields } = messageNamed('saring.consent.v1.RecordConsentRequest');
  const sent = fields.filter(({ name }) => ['document_version', 'locale'].includes(name));
  const [query, body] = [requestSchema(sent), requestSchema(sent, { part: 'body' })];
  expect(check(query, { document_version: 'v1' })).toEqual([]);
  expect(check(body, { document_version: 'v1', locale: null })).toEqual([]);
  expect(check(query, { document_version: 'v1', locale: null })).not.toEqual([]);
  expect(check(requestSchema(sent, { part: 'path' }), { document_version: 'v1' })).not.toEqual([]);
});

test('an absent field is null in the answer and described as nullable', () => {
  const { properties } = responseSchema(inMarketData('NegoDay'));
  expect(properties['nego_avg_price']).toMatchObject({
    anyOf: [{ type: 'number' }, { type: 'null' }],
    description:
      'Value / shares of the negotiated trades, adjusted like prices, IDR. Null without negotiated trades.',
  });
  expect(jsonOf(inMarketData('NegoDay'))({ close: 1 })).toMatchObject({ close: 1, nego_avg_price: null });
});

test('an answer without nullable fields is sent exactly as decoded', () => {
  const quotes = { quotes: { BBCA: { close: 1, change_pct: 0, date: '2024-06-28' } }, dataset_version: 'v1' };
  expect(jsonOf(inMarketData('GetQuotesResponse'))(quotes)).toBe(quotes);
});

test('an inline message is merged into its parent, and a message with just a list becomes that list', () => {
  const response = jsonOf(inMarketData('GetTurningPointResponse'))({
    turning_point: { score: 3 },
    lookback: 5,
  });
  expect(response).toEqual({ score: 3, lookback: 5, ret_10d_pct: null, last_traded_date: null });
  const ranking = jsonOf(inMarketData('CompareRanking'))({ return_pct: { tickers: ['BBCA'] } });
  expect(ranking).toEqual({ return_pct: ['BBCA'], bandar_net_value_5d: null });
});

test('a schema has the comment of its message and the name that the message declares', () => {
  const schema = responseSchema(inMarketData('GetNegoResponse'));
  expect(nameOf(schema)).toBe('NegoHistory');
  expect(schema).toMatchObject({ description: 'Negotiated trading of one stock.' });
  expect(nameOf(responseSchema(inMarketData('NegoDay')))).toBe('NegoDay');
});

test('rules of a field take precedence over those of its kind, and both appear in the schema', () => {
  const { fields } = inMarketData('CompareRequest');
  expect(requestSchema(fields).properties).toMatchObject({
    tickers: {
      minItems: 1,
      items: { type: 'string', minLength: 1, maxLength: 64 },
      examples: [['BBCA', 'BBRI']],
      description:
        'Ticker codes in any case. Duplicates count once. `universe:LQ45` stands for the members of a universe on the last day of ' +
        'the dataset, each of which counts; /api/v1/data/universes lists the universes. ' +
        'At most 10 different ones; more are `too_many_tickers`.',
    },
    days: { type: 'integer', minimum: 1, maximum: 250, default: 20 },
  });
});

test('a request schema uses the REST names of its fields and refuses other names', () => {
  const { fields } = inMarketData('ListBrokerStocksRequest');
  const schema = requestSchema(fields, { names: { broker: 'broker_code' } });
  expect(Object.keys(schema.properties)).toEqual(['broker_code', 'days', 'market', 'top_n', 'sort_by']);
  expect(check(schema, { broker_code: 'AK' })).toEqual([]);
  expect(check(schema, { broker: 'AK' })).not.toEqual([]);
});
