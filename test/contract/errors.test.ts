import { expect, inject, test } from 'vitest';
import { newTenant, ownTenant } from '../support/fleets/contract.ts';
import { errorCode, Rest } from '#support/rest/rest.ts';
import { issueKey } from '../support/fleets/issued-keys.ts';

const tenant = ownTenant();
const RUNS = 'models/confluence_filter/runs';

test('every answer carries an X-Request-ID, and errors repeat it in the envelope', async () => {
  const good = await tenant.rest.get('/api/v1/models');
  expect(good.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]+$/);
  const bad = await tenant.rest.get<{ error: { request_id: string } }>('/api/v1/nowhere');
  expect(bad.body.error.request_id).toBe(bad.headers.get('x-request-id'));
  expect(bad.body.error.request_id).not.toBe(good.headers.get('x-request-id'));
});

test('a key may also be sent as X-API-Key', async () => {
  const { key } = await issueKey(inject('stateDir'), 'models:read');
  const response = await new Rest(inject('baseUrl')).get('/api/v1/models', { headers: { 'x-api-key': key } });
  expect(response.status).toBe(200);
});

interface Refusal {
  detail: { loc: (string | number)[]; type: string; input: unknown }[];
}
const fiftyOne = Array.from({ length: 51 }, (_, i) => `T${i}`);

test.each<[string, unknown, (string | number)[], string, unknown]>([
  ['data/stocks/BBCA?days=0', undefined, ['query', 'days'], 'greater_than_equal', '0'],
  ['data/stocks/BBCA?days=many', undefined, ['query', 'days'], 'int_type', 'many'],
  ['data/stocks/BBCA?days=1&days=2', undefined, ['query', 'days'], 'multiple_values', ['1', '2']],
  ['data/flows?min_accum_day_ratio=x', undefined, ['query', 'min_accum_day_ratio'], 'float_type', 'x'],
  ['data/nego?date=8 January', undefined, ['query', 'date'], 'date_parsing', '8 January'],
  ['usage/events?since=20261128', undefined, ['query', 'since'], 'datetime_parsing', '20261128'],
  ['usage/summary?until=20261128', undefined, ['query', 'until'], 'datetime_parsing', '20261128'],
  ['usage/events?since=yesterday', undefined, ['query', 'since'], 'datetime_parsing', 'yesterday'],
  ['usage/events?cursor=none', undefined, ['query', 'cursor'], 'value_error', 'none'],
  ['data/quotes', undefined, ['query', 'tickers'], 'missing', null],
  ['data/quotes?tickers=,%20', undefined, ['query', 'tickers'], 'too_short', ', '],
  [`data/quotes?tickers=${fiftyOne.join()}`, undefined, ['query', 'tickers'], 'too_long', fiftyOne.join()],
  ['data/compare', { tickers: ['BBCA', ' '] }, ['body', 'tickers', 1], 'string_too_short', ' '],
  ['data/compare', { tickers: 'BBCA' }, ['body', 'tickers'], 'list_type', 'BBCA'],
  ['data/turning-points', { tickers: fiftyOne }, ['body', 'tickers'], 'too_long', fiftyOne],
  ['data/compare', '{"tickers":', ['body'], 'json_invalid', '{"tickers":'],
  [RUNS, { params: { lookback: '7' } }, ['body', 'params', 'lookback'], 'int_type', '7'],
  [RUNS, { params: { nothing: [1] } }, ['body', 'params', 'nothing'], 'extra_forbidden', [1]],
])('an error in %s %j reports its location, its type and the input', async (path, body, loc, type, input) => {
  const where = `/api/v1/${path}`;
  const response =
    body === undefined
      ? await tenant.rest.get<Refusal>(where)
      : await tenant.rest.post<Refusal>(where, body, { endUser: 'ani' });
  expect(response.status).toBe(422);
  expect(response.body.detail[0]).toMatchObject({ loc, type, input });
});

test('an unknown path is 404 not_found, a wrong method 405 method_not_allowed', async () => {
  const nowhere = await tenant.rest.get('/api/v1/nowhere');
  expect([nowhere.status, errorCode(nowhere)]).toEqual([404, 'not_found']);
  const wrong = await tenant.rest.send('/api/v1/models', { method: 'DELETE' });
  expect([wrong.status, errorCode(wrong)]).toEqual([405, 'method_not_allowed']);
  expect(wrong.headers.get('allow')).toContain('GET');
});

test('a parameter name that the answer truncates inside a surrogate pair is refused like any other', async () => {
  const path = '/api/v1/models/confluence_filter/runs';
  for (let length = 37; length <= 41; length++) {
    const params = { [`${'a'.repeat(length)}😀`]: 1 };
    const refused = await tenant.rest.post(path, { params }, { endUser: 'alice' });
    expect([refused.status, errorCode(refused)]).toEqual([422, 'invalid_request']);
  }
  expect((await tenant.rest.post(path, {}, { endUser: 'alice' })).status).toBe(202);
});

test('a key over its budget gets 429 rate_limited with Retry-After; other keys are unaffected', async () => {
  const { rest } = await newTenant('models:read', 3);
  const responses = [];
  for (let i = 0; i < 4; i++) responses.push(await rest.get('/api/v1/models'));
  expect(responses.map((response) => response.status)).toEqual([200, 200, 200, 429]);
  expect(responses[0]!.headers.get('x-ratelimit-limit')).toBe('3');
  expect(responses.slice(0, 3).map((response) => response.headers.get('x-ratelimit-remaining'))).toEqual([
    '2',
    '1',
    '0',
  ]);
  expect(errorCode(responses[3]!)).toBe('rate_limited');
  expect(responses[3]!.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
  expect((await tenant.rest.get('/api/v1/models')).status).toBe(200);
});
