import { connect } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newAjv } from './http/validation.ts';
import { routes } from './routes/index.ts';
import {
  startGatewayUnderTest,
  type GatewayUnderTest,
  type TestAnswer,
} from './testing/gateway-under-test.ts';
import { startStandIns, type StandIns } from './testing/stand-in-services.ts';

let services: StandIns;
let gateway: GatewayUnderTest;

beforeAll(async () => {
  services = await startStandIns();
  gateway = await startGatewayUnderTest(services.address);
});

afterAll(async () => {
  await gateway.stop();
  await services.stop();
});

const run = (
  query: string,
  body: unknown,
  headers: object = { 'x-end-user': 'user-42' },
  model = 'model_f_combined',
) =>
  gateway.request(`/api/v1/models/${model}/runs${query}`, 'all-scopes', {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });

const codeOf = ({ status, body }: TestAnswer) => `${status} ${body.error?.code ?? 'ok'}`;

test('every answer carries a request id of its own, whatever the client sends, and errors repeat it', async () => {
  const init = { headers: { 'x-request-id': 'req_chosen_by_client' } };
  for (const path of [
    '/api/health',
    '/api/v1/models',
    '/nowhere',
    '/api/v1/jobs?limit=0',
    '/api/v1/jobs/%zz',
  ]) {
    const { headers, body } = await gateway.request(path, 'all-scopes', init);
    expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{24}$/);
    if (body.error) expect(body.error.request_id).toBe(headers.get('x-request-id'));
  }
});

test('bytes that are no HTTP request are answered in the envelope too', async () => {
  const answer = await new Promise<string>((resolve) => {
    let text = '';
    const socket = connect(Number(new URL(gateway.baseUrl).port), '127.0.0.1', () =>
      socket.write('NONSENSE\r\n\r\n'),
    );
    socket.on('data', (bytes) => (text += bytes.toString())).on('close', () => resolve(text));
  });
  expect(answer).toMatch(/^HTTP\/1\.1 400 .*X-Request-ID: req_[0-9a-f]{24}.*"code":"invalid_request"/s);
});

test.each([
  [undefined, {}, '401 missing_api_key'],
  [undefined, { authorization: 'Basic abc' }, '401 invalid_api_key'],
  [undefined, { authorization: 'Bearer' }, '401 missing_api_key'],
  [undefined, { 'x-api-key': 'all-scopes' }, '200 ok'],
  [undefined, { authorization: 'Basic abc', 'x-api-key': 'all-scopes' }, '200 ok'],
  ['unknown', {}, '401 invalid_api_key'],
  ['x'.repeat(300), {}, '401 invalid_api_key'],
  ['disabled', {}, '403 key_disabled'],
  ['data-only', {}, '403 insufficient_scope'],
  ['all-scopes', {}, '200 ok'],
])('the key %s with headers %o is answered %s', async (secret, headers, expected) => {
  expect(codeOf(await gateway.request('/api/v1/models', secret, { headers }))).toBe(expected);
});

test('any enabled key may read the scope table', async () => {
  expect((await gateway.request('/api/v1/scopes', 'data-only')).status).toBe(200);
});

test('a key has its own budget; every authenticated request counts, whatever its answer', async () => {
  const [first, second, third] = [
    await gateway.request('/api/v1/nowhere', 'two-a-minute'),
    await gateway.request('/api/v1/jobs?limit=0', 'two-a-minute'),
    await gateway.request('/api/v1/models', 'two-a-minute'),
  ];
  expect([first, second, third].map(codeOf)).toEqual([
    '404 not_found',
    '422 invalid_request',
    '429 rate_limited',
  ]);
  expect(first.headers.get('x-ratelimit-limit')).toBe('2');
  expect(first.headers.get('x-ratelimit-remaining')).toBe('1');
  expect(first.headers.get('ratelimit')).toMatch(/^limit=2, remaining=1, reset=\d+$/);
  expect(third.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect((await gateway.request('/api/v1/models', 'all-scopes')).status).toBe(200);
});

test('refused keys are limited by address, and never stop a good key at the same address', async () => {
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  const answers = [];
  for (let i = 0; i < 22; i++)
    answers.push(await gateway.request('/api/v1/models', `guess-${i}`, from('192.0.2.1')));
  expect(answers.slice(0, 20).every(({ status }) => status === 401)).toBe(true);
  expect(codeOf(answers[21]!)).toBe('429 rate_limited');
  expect(answers[21]!.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect((await gateway.request('/api/v1/models', 'all-scopes', from('192.0.2.1'))).status).toBe(200);
  expect((await gateway.request('/api/v1/models', 'guess-x', from('192.0.2.2'))).status).toBe(401);
});

test('unknown paths and other methods are refused in the envelope, the latter with Allow', async () => {
  expect(codeOf(await gateway.request('/elsewhere'))).toBe('404 not_found');
  expect(codeOf(await gateway.request('/api/v1/elsewhere', 'all-scopes'))).toBe('404 not_found');
  const wrong = await gateway.request('/api/v1/models/x/runs', 'all-scopes');
  expect([codeOf(wrong), wrong.headers.get('allow')]).toEqual(['405 method_not_allowed', 'POST']);
  const head = await gateway.request('/api/v1/models', 'all-scopes', { method: 'HEAD' });
  expect([head.status, head.body]).toEqual([200, {}]);
});

test.each([
  ['malformed JSON', '{"params":', '422 invalid_request'],
  ['an array', [], '422 invalid_request'],
  ['null', 'null', '422 invalid_request'],
  ['an unknown field', { parms: {} }, '422 invalid_request'],
  ['parameters that are no object', { params: [1] }, '422 invalid_request'],
  [
    'ten thousand brackets',
    `{"params":{"a":${'['.repeat(4_000)}${']'.repeat(4_000)}}}`,
    '422 invalid_request',
  ],
  ['a name that objects lose', '{"params":{"__proto__":{"max_picks":1}}}', '422 invalid_request'],
  ['too many bytes', { params: { a: 'x'.repeat(20_000) } }, '413 payload_too_large'],
  ['null parameters', { params: null }, '202 ok'],
  ['nothing', '', '202 ok'],
])('a run with %s as its body is answered %s', async (_name, body, expected) => {
  expect(codeOf(await run('', body))).toBe(expected);
});

test('a body that is not declared as JSON is refused, naming Content-Type', async () => {
  const { status, body } = await run('', 'params=1', {
    'x-end-user': 'user-42',
    'content-type': 'application/x-www-form-urlencoded',
  });
  expect(status).toBe(422);
  expect(body.error?.message).toContain('Content-Type');
});

test.each([
  ['?wait=61', 'wait: must be a whole number from 0 to 60'],
  ['?wait=0x10', 'wait: must be a whole number from 0 to 60'],
  ['?wait=', 'wait: must be a whole number from 0 to 60'],
  ['?wait=1&wait=2', 'wait: must be given only once'],
  ['?view=tiny', 'view: must be one of full, compact'],
  ['?waits=1', 'waits: is not known here; allowed: view, wait'],
])('a run with the query %s is refused saying "%s"', async (query, message) => {
  const { status, body } = await run(query, {});
  expect([status, body.error?.code, body.error?.message]).toEqual([422, 'invalid_request', message]);
  expect(Object.keys(body.detail![0]!).toSorted()).toEqual(['ctx', 'input', 'loc', 'msg', 'type']);
});

test('what refuses a run is told in the order end user, body, model, view', async () => {
  expect(codeOf(await run('', '{', {}))).toBe('422 missing_end_user');
  expect(codeOf(await run('', '{', { 'x-end-user': 'a@b' }))).toBe('400 invalid_end_user');
  expect(codeOf(await run('', '{', undefined, 'unknown'))).toBe('422 invalid_request');
  expect(codeOf(await run('?view=compact', {}, undefined, 'unknown'))).toBe('404 model_not_found');
  expect(codeOf(await run('?view=compact', {}, undefined, 'confluence_filter'))).toBe('422 invalid_request');
  expect(codeOf(await run('?view=compact', {}))).toBe('202 ok');
});

test('a run reaches the models service with its key, end user, view and channel', async () => {
  services.submitted.length = 0;
  await run('?view=compact', { params: { max_picks: 3, strategy: 'Gated' } });
  expect(services.submitted).toEqual([
    {
      model_id: 'model_f_combined',
      params: { max_picks: 3, strategy: 'Gated' },
      view: 'compact',
      api_key_id: 'key_all',
      end_user: 'user-42',
      channel: 'api',
    },
  ]);
});

test('a run that ends within wait answers 200 with its result', async () => {
  services.runTakesMs = 100;
  const { status, body } = await run('?wait=10', {});
  expect([status, body.status, body.result?.df_result]).toEqual([200, 'succeeded', [{ Ticker: 'BBCA' }]]);
});

test('a run that outlasts wait answers 202 with the job as last seen, without a result', async () => {
  services.runTakesMs = 20_000;
  const { status, body } = await run('?wait=1', {});
  expect([status, body.status, body.result]).toEqual([202, 'running', undefined]);
  await expect.poll(() => services.unwatched.has(body.job_id!)).toBe(true);
});

test('a client that leaves while it waits ends the watch', async () => {
  services.runTakesMs = 20_000;
  services.unwatched.clear();
  const leaving = new AbortController();
  const request = gateway.request('/api/v1/models/model_f_combined/runs?wait=60', 'all-scopes', {
    method: 'POST',
    headers: { 'x-end-user': 'user-42' },
    signal: leaving.signal,
  });
  setTimeout(() => leaving.abort(), 200);
  await expect(request).rejects.toThrow();
  await expect.poll(() => services.unwatched.size).toBe(1);
});

test('an id that is not well formed is as unknown as one that names nothing', async () => {
  for (const id of ['job_unknown', '%00', 'a'.repeat(2_000), 'a b']) {
    expect(codeOf(await gateway.request(`/api/v1/jobs/${encodeURI(id)}`, 'all-scopes'))).toBe(
      '404 job_not_found',
    );
  }
});

test('quotes asked for at the same time share a call, and each answer has its own tickers', async () => {
  services.quoteCalls.length = 0;
  const lists = ['bbca,TLKM', 'NONE', 'BBRI,bbri', 'TLKM'];
  const answers = await Promise.all(
    lists.map((list) => gateway.request(`/api/v1/data/quotes?tickers=${list}`, 'all-scopes')),
  );
  expect(answers.map(({ body }) => Object.keys(body.quotes!))).toEqual([
    ['BBCA', 'TLKM'],
    [],
    ['BBRI'],
    ['TLKM'],
  ]);
  expect(services.quoteCalls.length).toBeLessThanOrEqual(lists.length);
});

test('days of since and until are days in Jakarta, and until includes its day', async () => {
  services.listed.length = 0;
  const { body } = await gateway.request(
    '/api/v1/usage/events?since=2024-06-01&until=2024-06-28',
    'all-scopes',
  );
  expect(body).toMatchObject({ count: 1, next_cursor: 'next', has_more: true });
  expect(services.listed[0]).toMatchObject({
    api_key_id: 'key_all',
    since: new Date('2024-05-31T17:00:00Z'),
    until: new Date('2024-06-28T17:00:00Z'),
    limit: 50,
  });
});

test('health answers 200 and names what is down when nothing behind the gateway answers', async () => {
  const alone = await startGatewayUnderTest('127.0.0.1:1');
  const { status, body } = await alone.request('/api/health');
  expect(status).toBe(200);
  expect(body).toEqual({
    ...{ status: 'degraded', data_loaded: false, synthetic: null, dataset: null },
    services: { keys: 'down', market_data: 'down', models: 'down', usage: 'down' },
  });
  expect(codeOf(await alone.request('/api/v1/models', 'all-scopes'))).toBe('503 data_unavailable');
  await alone.stop();
});

test('answers have the shape that the reference declares', async () => {
  const ajv = newAjv();
  const succeeding = {
    '/api/v1/jobs/{job_id}': '/api/v1/jobs/job_0',
    '/api/v1/data/quotes': '?tickers=BBCA',
  };
  for (const route of routes.filter(({ method, path }) => method === 'get' && !path.includes('{event_id}'))) {
    const special = succeeding[route.path as keyof typeof succeeding] ?? '';
    const path = special.startsWith('/') ? special : route.path + special;
    const filled = path.replace('{model_id}', 'model_f_combined').replace('{ticker}', 'bbca');
    const { status, body } = await gateway.request(filled, 'all-scopes');
    expect(status, filled).toBe(200);
    const matches = ajv.compile(route.responses[200]!.schema);
    expect(matches(body), `${filled}: ${ajv.errorsText(matches.errors)}`).toBe(true);
  }
});

test('a request leaves one line in the log that finds it again, without its query, its key or its body', async () => {
  const lines: string[] = [];
  const logging = await startGatewayUnderTest(
    services.address,
    pino({}, { write: (line) => lines.push(line) }),
  );
  const { headers } = await logging.request('/api/v1/models/nope/runs?wait=0', 'all-scopes', {
    method: 'POST',
    headers: { 'x-end-user': 'user-42', 'content-type': 'application/json' },
    body: '{"params":{"note":"from the body"}}',
  });
  await expect.poll(() => lines.length).toBe(1);
  expect(JSON.parse(lines[0]!)).toMatchObject({
    request_id: headers.get('x-request-id'),
    ...{ method: 'POST', path: '/api/v1/models/nope/runs', status: 404, code: 'model_not_found' },
    ...{ key_id: 'key_all', end_user: 'user-42', duration_ms: expect.any(Number) as number },
  });
  for (const hidden of ['all-scopes', 'wait=0', 'from the body']) expect(lines[0]).not.toContain(hidden);
  await logging.stop();
});

test('the document and the reference page need no key and no other host', async () => {
  const { body } = await gateway.request('/api/openapi.json');
  expect(body.openapi).toBe('3.1.0');
  const page = await fetch(`${gateway.baseUrl}/api/docs/`);
  expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none';script-src 'self'/);
  const files = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url!);
  expect(files.every((url) => url.startsWith('/api/docs/'))).toBe(true);
  for (const url of files) expect((await fetch(gateway.baseUrl + url)).status, url).toBe(200);
});

test('a stop lets a waiting client have its job at once and closes every connection', async () => {
  services.runTakesMs = 20_000;
  const stopping = await startGatewayUnderTest(services.address);
  const waiting = stopping.request('/api/v1/models/model_f_combined/runs?wait=60', 'all-scopes', {
    method: 'POST',
    headers: { 'x-end-user': 'user-42' },
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  const begun = performance.now();
  await stopping.stop();
  expect((await waiting).status).toBe(202);
  expect(performance.now() - begun).toBeLessThan(2_000);
  await expect(fetch(`${stopping.baseUrl}/api/health`)).rejects.toThrow();
});
