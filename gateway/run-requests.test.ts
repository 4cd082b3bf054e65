import { expect, test } from 'vitest';
import { settings } from './config.ts';
import { startGatewayUnderTest } from './testing/gateway-under-test.ts';
import { codeOf, testGateway } from './testing/test-gateway.ts';

const own = testGateway();

test('a run that outlasts wait is answered 202 with its latest state, no result and duration 0', async () => {
  own.services.runTakesMs = 20_000;
  const { status, body } = await own.run('?wait=1', {});
  expect([status, body.status, body.result, body.duration_seconds]).toEqual([202, 'running', undefined, 0]);
  const polled = await own.request(`/api/v1/jobs/${body.job_id}`, 'all-scopes');
  expect([polled.body.status, polled.body.duration_seconds]).toEqual(['running', 0.25]);
  await expect.poll(() => own.services.unwatched.has(body.job_id!)).toBe(true);
});

test('a client that disconnects while it waits for a run ends the watch', async () => {
  own.services.runTakesMs = 20_000;
  own.services.watched.clear();
  own.services.unwatched.clear();
  const leaving = new AbortController();
  const request = own.request('/api/v1/models/model_f_combined/runs?wait=60', 'all-scopes', {
    method: 'POST',
    headers: { 'x-end-user': 'user-42' },
    signal: leaving.signal,
  });
  await expect.poll(() => own.services.watched.size).toBe(1);
  leaving.abort();
  await expect(request).rejects.toThrow();
  await expect.poll(() => own.services.unwatched.size).toBe(1);
});

// Numbers take five times as many bytes on the way to a service as in JSON.
test.each([
  [settings.BODY_LIMIT.default!, '202 ok'],
  [1_048_576, '413 payload_too_large'],
])(
  'a body of %i bytes, all that BODY_LIMIT allows and all numbers, is answered %s',
  async (limit, response) => {
    const gateway = await startGatewayUnderTest(own.services.address, undefined, { BODY_LIMIT: limit });
    const [start, end] = ['{"params":{"a":[1', ']}}'];
    const body = start + ',1'.repeat((limit - start.length - end.length) / 2) + end;
    const headers = { 'content-type': 'application/json', 'x-end-user': 'user-42' };
    const path = '/api/v1/models/model_f_combined/runs';
    expect(codeOf(await gateway.request(path, 'all-scopes', { method: 'POST', body, headers }))).toBe(
      response,
    );
    await gateway.stop();
  },
);

test('mistakes in a run are reported in the order end user, body, model', async () => {
  expect(codeOf(await own.run('', '{', {}))).toBe('422 missing_end_user');
  expect(codeOf(await own.run('', '{', { 'x-end-user': 'a@b' }))).toBe('400 invalid_end_user');
  expect(codeOf(await own.run('', '{', undefined, 'unknown'))).toBe('422 invalid_request');
  expect(codeOf(await own.run('?view=compact', {}, undefined, 'unknown'))).toBe('404 model_not_found');
});

test.each([
  [undefined, 'id'],
  ['en', 'en'],
  ['en-US,en;q=0.9,id;q=0.5', 'en'],
  ['id-ID,id;q=0.9,en;q=0.8', 'id'],
  ['de, fr;q=0.5', 'id'],
  ['*', 'id'],
])(
  'an answer to Accept-Language %s declares Content-Language %s and varies by it',
  async (requested, language) => {
    own.services.runTakesMs = 0;
    const { body } = await own.run('?wait=10', {});
    for (const path of ['', '/explain?ticker=BBCA']) {
      const { headers } = await own.request(`/api/v1/jobs/${body.job_id}${path}`, 'all-scopes', {
        headers: requested === undefined ? {} : { 'accept-language': requested },
      });
      expect([headers.get('content-language'), headers.get('vary')]).toEqual([
        language,
        'Accept-Encoding, Accept-Language',
      ]);
    }
  },
);
