import { expect, test } from 'vitest';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { messageNamed } from './descriptors.ts';
import { requestCheck } from './request-check.ts';

const REQUESTS: Record<string, object> = {
  GetQuotesRequest: { tickers: ['BBCA'] },
  GetSnapshotRequest: { ticker: 'BBCA', days: 250 },
  CompareRequest: { tickers: ['bbca', 'TLKM'], days: 1 },
  GetNegoRequest: { ticker: 'bbca', days: 250 },
  ScanNegoRequest: { date: 'today', min_val: 0, top_n: 100 },
  ScanNegoWindowRequest: { days: 120, min_val: 1e12, top_n: 1 },
  GetTurningPointRequest: { ticker: 'BBCA', lookback: 60 },
  ListTurningPointsRequest: { tickers: ['BBCA'], lookback: 2 },
  GetBrokersRequest: { ticker: 'BBCA', date: '2024-02-29', market: 'NEGO', top_n: 50, sort_by: 'value' },
  GetBrokerWindowRequest: { ticker: 'BBCA', days: 120, market: 'REG', top_n: 1, sort_by: 'shares' },
  GetBrokerTimelineRequest: { ticker: 'BBCA', broker: 'ak', days: 250, market: 'REG' },
  ListBrokerStocksRequest: { broker: 'AK', days: 120, market: 'REG', top_n: 100, sort_by: 'value' },
  GetNegoBrokersRequest: { ticker: 'BBCA', date: 'today', top_n: 50, sort_by: 'value' },
  ListFlowsRequest: {
    flow_type: 'bandar',
    days: 120,
    min_abs_val: 0,
    top_n: 100,
    min_price: 0,
    min_daily_val: 0,
    sort_by: 'value',
    pattern: 'consistent',
    min_accum_day_ratio: 1,
    max_price_change_pct: -5,
  },
  UseDatasetRequest: { version: 'real-20240628-1', reason: 'x'.repeat(200) },
  ListServedDatasetsRequest: { limit: 1_000 },
  ListRejectedRowsRequest: { version: '', limit: 1_000 },
  PruneDatasetsRequest: { keep: 1 },
};

function refusalOf(name: string, change: object, of = 'market_data'): ServiceError | undefined {
  try {
    requestCheck(messageNamed(`saring.${of}.v1.${name}`))!({ ...REQUESTS[name], ...change });
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  return undefined;
}

test.each(Object.keys(REQUESTS))('%s accepts values at its bounds', (name) => {
  expect(refusalOf(name, {})).toBeUndefined();
});

test.each([
  ...['GetSnapshotRequest', 'CompareRequest', 'GetNegoRequest', 'GetBrokerTimelineRequest'].flatMap((name) =>
    [0, 251, -5, NaN].map((days) => [name, { days }] as const),
  ),
  ...[
    'ScanNegoWindowRequest',
    'GetBrokerWindowRequest',
    'ListBrokerStocksRequest',
    'ListFlowsRequest',
  ].flatMap((name) => [0, 121].map((days) => [name, { days }] as const)),
  ...['GetBrokersRequest', 'GetBrokerWindowRequest', 'GetNegoBrokersRequest'].flatMap((name) =>
    [{ top_n: 0 }, { top_n: 51 }, { sort_by: 'net' }, { sort_by: '' }].map(
      (change) => [name, change] as const,
    ),
  ),
  ...['ScanNegoRequest', 'ScanNegoWindowRequest', 'ListBrokerStocksRequest', 'ListFlowsRequest'].flatMap(
    (name) => [{ top_n: 0 }, { top_n: 101 }].map((change) => [name, change] as const),
  ),
  ...[
    'GetBrokersRequest',
    'GetBrokerWindowRequest',
    'GetBrokerTimelineRequest',
    'ListBrokerStocksRequest',
  ].flatMap((name) =>
    [{ market: 'reg' }, { market: 'RG' }, { market: '' }].map((change) => [name, change] as const),
  ),
  ...['ScanNegoRequest', 'GetBrokersRequest', 'GetNegoBrokersRequest'].flatMap((name) =>
    [{ date: 'yesterday' }, { date: '2024-02-30' }, { date: '' }].map((change) => [name, change] as const),
  ),
  ...['GetTurningPointRequest', 'ListTurningPointsRequest'].flatMap((name) =>
    [1, 61, 0, -5].map((lookback) => [name, { lookback }] as const),
  ),
  ...['GetQuotesRequest', 'CompareRequest', 'ListTurningPointsRequest'].map(
    (name) => [name, { tickers: [] }] as const,
  ),
  ['ScanNegoRequest', { min_val: -1 }],
  ['ScanNegoRequest', { min_val: NaN }],
  ['ListFlowsRequest', { min_abs_val: -1 }],
  ['ListFlowsRequest', { min_abs_val: NaN }],
  ['ListFlowsRequest', { min_price: -1 }],
  ['ListFlowsRequest', { min_daily_val: -0.5 }],
  ['ListFlowsRequest', { min_accum_day_ratio: -0.1 }],
  ['ListFlowsRequest', { min_accum_day_ratio: 1.1 }],
  ['ListFlowsRequest', { max_price_change_pct: NaN }],
  ['ListFlowsRequest', { flow_type: '' }],
  ['ListFlowsRequest', { flow_type: 'Foreign' }],
  ['ListFlowsRequest', { sort_by: 'price' }],
  ['ListFlowsRequest', { pattern: 'steady' }],
  ['ListBrokerStocksRequest', { sort_by: 'price' }],
  ['UseDatasetRequest', { version: '' }],
  ['UseDatasetRequest', { reason: 'x'.repeat(201) }],
  ['ListServedDatasetsRequest', { limit: 0 }],
  ['ListServedDatasetsRequest', { limit: 1_001 }],
  ['ListRejectedRowsRequest', { limit: 1_001 }],
  ['PruneDatasetsRequest', { keep: 0 }],
] as const)('%s with %o is invalid_request and names the field', (name, change) => {
  const [field] = Object.keys(change);
  expect(refusalOf(name, change)).toMatchObject({ code: 'invalid_request', detail: [{ loc: [field] }] });
});

test('all errors of a request are reported, each with what is allowed', () => {
  const { detail } = refusalOf('GetBrokersRequest', { market: 'RG', top_n: 51 })!;
  expect(detail).toMatchObject([
    { loc: ['market'], msg: 'must be one of REG, NEGO', type: 'enum', input: 'RG' },
    { loc: ['top_n'], msg: 'must be a whole number from 1 to 50', type: 'less_than_equal', input: 51 },
  ]);
});

test('an empty ticker is refused with its position', () => {
  const { code, detail } = refusalOf('CompareRequest', { tickers: ['A', ''] })!;
  expect([code, detail[0]!.loc]).toEqual(['invalid_request', ['tickers', 1]]);
});

test.each([
  ['GetQuotesRequest', 50],
  ['CompareRequest', 10],
  ['ListTurningPointsRequest', 50],
])('the limit of %s, %i, counts distinct tickers regardless of case', (name, max) => {
  const tickers = Array.from({ length: max }, (_, i) => `T${i}`);
  expect(refusalOf(name, { tickers: [...tickers, 't0', ' T1 '] })).toBeUndefined();
  expect(refusalOf(name, { tickers: [...tickers, 'MORE'] })).toMatchObject({
    code: 'too_many_tickers',
    detail: [{ loc: ['tickers'], ctx: { max_length: max, actual_length: max + 1 } }],
  });
});

test('a message without fields has no check', () => {
  expect(requestCheck(messageNamed('saring.market_data.v1.GetCurrentDatasetRequest'))).toBeUndefined();
});

test('rules of nested messages apply, and their errors name the full location', () => {
  const check = requestCheck(messageNamed('saring.usage.v1.FindUnrecordedRequest'))!;
  const run = { event_id: 'ue_1', api_key_id: 'key_1', ts: new Date(0), status: 'started' };
  expect(() => check({ runs: Array<object>(1_000).fill(run) })).not.toThrow();
  const tooMany = expect.objectContaining({ detail: [expect.objectContaining({ loc: ['runs'] })] }) as Error;
  expect(() => check({ runs: Array<object>(1_001).fill(run) })).toThrow(tooMany);
  const wrong = [expect.objectContaining({ loc: ['runs', 1, 'status'], type: 'enum' })];
  expect(() => check({ runs: [run, { ...run, status: 'queued' }] })).toThrow(
    expect.objectContaining({ detail: wrong }),
  );
});

test('an optional field is checked only if present', () => {
  const check = requestCheck(messageNamed('saring.usage.v1.ListEventsRequest'))!;
  const request = { api_key_id: 'key_1', limit: 200 };
  expect(() => check({ ...request, status: undefined })).not.toThrow();
  expect(() => check({ ...request, status: 'queued' })).toThrow('status');
});

test('ListJobs refuses a limit outside 1 to 100', () => {
  const refusal = (limit: number) =>
    refusalOf('ListJobsRequest', { api_key_id: 'key_a', limit }, 'models')?.code;
  expect([0, 1, 100, 101].map(refusal)).toEqual(['invalid_request', undefined, undefined, 'invalid_request']);
});

test('an invalid date is refused as a moment', () => {
  const check = requestCheck(messageNamed('saring.usage.v1.ListKeyUsageRequest'))!;
  expect(() => check({ since: undefined })).not.toThrow();
  expect(() => check({ since: new Date(NaN) })).toThrow('since: is not a valid time');
});

const CALLER = { api_key_id: 'key_1', end_user: 'user-42' };
const RUN = { ...CALLER, model_id: 'confluence_filter', view: 'full', channel: 'api' };
const ACCEPTANCE = { ...CALLER, document_id: 'fair_disclaimer', document_version: 'v1', accepted: true };
const KEY = { name: 'a', scopes: ['data:read'], labels: {} };
const SCHEDULE = { ...CALLER, name: 'a', model_id: 'm', view: 'compact', calendar: 'weekly' };

test.each([
  ['models', 'SubmitRunRequest', RUN, { channel: 'Api' }],
  ['models', 'SubmitRunRequest', RUN, { channel: '' }],
  ['models', 'SubmitRunRequest', RUN, { actor: 'a\nb' }],
  ['models', 'SubmitRunRequest', RUN, { actor: 'x'.repeat(129) }],
  ['models', 'SubmitRunRequest', RUN, { idempotency_key: '' }],
  ['models', 'SubmitRunRequest', RUN, { submission_id: 'é' }],
  ['models', 'SubmitRunRequest', RUN, { view: 'short' }],
  ['consent', 'RecordConsentRequest', ACCEPTANCE, { api_key_id: '' }],
  ['consent', 'RecordConsentRequest', ACCEPTANCE, { end_user: 'a b' }],
  ['consent', 'RecordConsentRequest', ACCEPTANCE, { locale: 'x'.repeat(36) }],
  ['consent', 'RecordConsentRequest', ACCEPTANCE, { client_version: '\0' }],
  ['consent', 'RecordConsentRequest', ACCEPTANCE, { idempotency_key: 'x'.repeat(256) }],
  ['keys', 'CreateKeyRequest', KEY, { name: ' ' }],
  ['keys', 'CreateKeyRequest', KEY, { name: 'a\u001B[0m' }],
  ['keys', 'CreateKeyRequest', KEY, { name: 'x'.repeat(101) }],
  ['keys', 'CreateKeyRequest', KEY, { scopes: [] }],
  ['keys', 'CreateKeyRequest', KEY, { rate_limit_per_minute: 0 }],
  ['keys', 'CreateKeyRequest', KEY, { rate_limit_per_minute: 1_000_001 }],
  ['scheduler', 'CreateScheduleRequest', SCHEDULE, { calendar: 'hourly' }],
  ['scheduler', 'CreateScheduleRequest', SCHEDULE, { end_user: '' }],
  ['scheduler', 'CreateScheduleRequest', SCHEDULE, { name: '' }],
] as const)('%s: %s accepts %o and refuses it with %o', (service, name, good, change) => {
  const check = requestCheck(messageNamed(`saring.${service}.v1.${name}`))!;
  const [field] = Object.keys(change);
  const refusal = { code: 'invalid_request', detail: [expect.objectContaining({ loc: [field] })] };
  expect(() => check(good)).not.toThrow();
  expect(() => check({ ...good, ...change })).toThrow(expect.objectContaining(refusal));
});

test('a pattern mismatch is explained in words', () => {
  const check = requestCheck(messageNamed('saring.consent.v1.CheckConsentRequest'))!;
  expect(() => check({ api_key_id: 'key_1', end_user: '@', document_id: 'a' })).toThrow(
    'end_user: must be 1 to 64 characters out of A-Z, a-z, 0-9, dot, underscore and hyphen, other than . and ..',
  );
});
