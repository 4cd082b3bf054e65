import { pino } from 'pino';
import { expect, test } from 'vitest';
import { MODELS } from '#models/registry.ts';
import { startGatewayUnderTest } from './testing/gateway-under-test.ts';
import { answerToBytes } from './testing/raw-response.ts';
import { codeOf, testGateway } from './testing/test-gateway.ts';

const own = testGateway();

test('every answer carries a request id that the gateway chose, and errors repeat it', async () => {
  const init = { headers: { 'x-request-id': 'req_chosen_by_client' } };
  for (const path of [
    '/api/health',
    '/api/v1/models',
    '/nowhere',
    '/api/v1/jobs?limit=0',
    '/api/v1/jobs/%zz',
  ]) {
    const { headers, body } = await own.request(path, 'all-scopes', init);
    expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{24}$/);
    if (body.error) expect(body.error.request_id).toBe(headers.get('x-request-id'));
  }
});

test.each([
  ['without Host', 'GET /api/health HTTP/1.1\r\n\r\n', '400 Bad Request.*"code":"invalid_request"'],
  [
    'that expects what nobody can do',
    'GET /nowhere HTTP/1.1\r\nHost: x\r\nExpect: nonsense\r\nConnection: close\r\n\r\n',
    '404 Not Found.*"code":"not_found"',
  ],
])('a request %s gets a request id and the error envelope', async (_, request, expected) => {
  const response = await answerToBytes(own.gateway, request);
  expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${expected}`, 's'));
  expect(response).toMatch(/X-Request-ID: (req_[0-9a-f]{24}).*"request_id":"\1"/s);
});

test('CONNECT behind an unanswered request gets no answer, which a client would take for that of the request', async () => {
  const head = 'GET /api/v1/models HTTP/1.1\r\nHost: x\r\nX-API-Key: all-scopes\r\n\r';
  const connecting = '\nCONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n';
  expect(await answerToBytes(own.gateway, head, connecting)).toBe('');
});

test('unknown paths get 404 and unsupported methods 405 with Allow, while HEAD is supported', async () => {
  expect(codeOf(await own.request('/elsewhere'))).toBe('404 not_found');
  expect(codeOf(await own.request('/api/v1/elsewhere', 'all-scopes'))).toBe('404 not_found');
  const wrong = await own.request('/api/v1/models/x/runs', 'all-scopes');
  expect([codeOf(wrong), wrong.headers.get('allow')]).toEqual(['405 method_not_allowed', 'POST']);
  const head = await own.request('/api/v1/models', 'all-scopes', { method: 'HEAD' });
  expect([head.status, head.body]).toEqual([200, {}]);
});

test('an invalid end-user id gets 404 not_found without a query to the ledger', async () => {
  own.services.listed.length = 0;
  for (const id of ['a@b', '{end_user_id}', 'a'.repeat(65)]) {
    const path = `/api/v1/usage/end-users/${encodeURIComponent(id)}/events`;
    expect(codeOf(await own.request(path, 'all-scopes'))).toBe('404 not_found');
  }
  // `fetch` resolves these before it sends them.
  for (const id of ['.', '..', '%2E%2e']) {
    const headers = 'Host: x\r\nX-API-Key: all-scopes\r\nConnection: close\r\n';
    const request = `GET /api/v1/usage/end-users/${id}/events HTTP/1.1\r\n${headers}\r\n`;
    const response = await answerToBytes(own.gateway, request);
    expect(response).toMatch(/^HTTP\/1\.1 404 .*"code":"not_found"/s);
  }
  expect(own.services.listed).toEqual([]);
});

test('a gateway without its token for a service does not start and names the missing setting', async () => {
  const start = startGatewayUnderTest(own.services.address, undefined, { MODELS_TOKEN: '' });
  await expect(start).rejects.toThrow('MODELS_TOKEN is not set');
});

test('health returns 200 and reports every service as down when no service answers', async () => {
  const alone = await startGatewayUnderTest('127.0.0.1:1');
  const { status, body } = await alone.request('/api/health');
  expect(status).toBe(200);
  expect(body).toEqual({
    status: 'degraded',
    data_loaded: false,
    synthetic: null,
    synthetic_brokers: null,
    dataset: null,
    freshness: null,
    lost_dataset: null,
    services: {
      keys: 'down',
      market_data: 'down',
      models: 'down',
      usage: 'down',
      consent: 'down',
      screens: 'down',
      webhooks: 'down',
      scheduler: 'down',
      feed: 'down',
      model_workers: 'down',
    },
    runs: { can_complete: false, defaults_learnt: false, storage: 'down', queue: 'down', workers: 'down' },
    models: MODELS.map(({ id }) => ({
      id,
      can_complete: false,
      reason: 'Saat ini tidak ada perhitungan yang dapat selesai: lihat runs.',
    })),
    schedules: null,
  });
  expect(codeOf(await alone.request('/api/v1/models', 'all-scopes'))).toBe('503 data_unavailable');
  await alone.stop();
});

test('health says of each model, in the language of the caller, what the dataset lacks for it', async () => {
  const modelsIn = async (language: string) => {
    const { body, headers } = await own.request('/api/health', 'all-scopes', {
      headers: { 'accept-language': language },
    });
    return { ...(body as unknown as { models: unknown; schedules: unknown }), headers };
  };
  for (const [language, reason] of Object.entries({ id: 'Data kurang.', en: 'Too little data.' })) {
    const { models, schedules, headers } = await modelsIn(language);
    expect(headers.get('content-language')).toBe(language);
    expect(models).toEqual(
      MODELS.map(({ id }, i) => ({ id, can_complete: i > 0, reason: i > 0 ? null : reason })),
    );
    expect(schedules).toEqual({ enabled: 2, cannot_fire: 2 });
  }
});

test('each request is logged on one line with its identifiers, without its query, key or body', async () => {
  const lines: string[] = [];
  const logging = await startGatewayUnderTest(
    own.services.address,
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
    method: 'POST',
    path: '/api/v1/models/nope/runs',
    status: 404,
    code: 'model_not_found',
    key_id: 'key_all',
    end_user: 'user-42',
    duration_ms: expect.any(Number) as number,
  });
  for (const hidden of ['all-scopes', 'wait=0', 'from the body']) expect(lines[0]).not.toContain(hidden);
  await logging.stop();
});
