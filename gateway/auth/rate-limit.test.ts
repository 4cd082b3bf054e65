import { expect, test } from 'vitest';
import { answerToBytes } from '../testing/raw-response.ts';
import { codeOf, testGateway } from '../testing/test-gateway.ts';
import { KEYS } from '../testing/fake-keys.ts';

const own = testGateway();

function newKey(limit: number): string {
  const secret = `limited-${Object.keys(KEYS).length}`;
  KEYS[secret] = { ...KEYS['all-scopes']!, id: `key_${secret}`, rate_limit_per_minute: limit };
  return secret;
}

const HEADERS = {
  'x-ratelimit-limit': /^4$/,
  'x-ratelimit-remaining': /^\d$/,
  'x-ratelimit-reset': /^\d{10}$/,
  ratelimit: /^limit=4, remaining=\d, reset=([1-9]|[1-5]\d|60)$/,
  'ratelimit-policy': /^4;w=60$/,
};

test('every answer to a key has rate-limit headers, errors included; an answer without a key has none', async () => {
  const secret = newKey(4);
  const responses = [];
  for (const path of ['models', 'nowhere', 'jobs?limit=0', 'jobs/job_9', 'models'])
    responses.push(await own.request(`/api/v1/${path}`, secret));
  expect(responses.map(codeOf)).toEqual([
    '200 ok',
    '404 not_found',
    '422 invalid_request',
    '404 job_not_found',
    '429 rate_limited',
  ]);
  for (const { headers } of responses)
    for (const [name, form] of Object.entries(HEADERS)) expect(headers.get(name), name).toMatch(form);
  expect(responses.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual([
    '3',
    '2',
    '1',
    '0',
    '0',
  ]);
  expect(responses.map(({ headers }) => headers.get('retry-after') !== null)).toEqual([
    false,
    false,
    false,
    false,
    true,
  ]);
  const unauthenticated = await own.request('/api/v1/models');
  expect([unauthenticated.status, unauthenticated.headers.get('x-ratelimit-limit')]).toEqual([401, null]);
});

test('pipelined requests are counted individually', async () => {
  const secret = newKey(2);
  await own.request('/api/v1/nowhere', secret);
  const request = (more = '') =>
    `GET /api/v1/models HTTP/1.1\r\nHost: a\r\nX-API-Key: ${secret}\r\n${more}\r\n`;
  const answers = await answerToBytes(own.gateway, request() + request() + request('Connection: close\r\n'));
  const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  expect(statuses).toEqual(['200', '429', '429']);
});

test('a changed limit applies to requests already counted in the current minute', async () => {
  const secret = newKey(1);
  const ask = () => own.request('/api/v1/models', secret);
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 429]);
  KEYS[secret] = { ...KEYS[secret]!, rate_limit_per_minute: 1_000 };
  await expect.poll(async () => (await ask()).status).toBe(200);
  KEYS[secret] = { ...KEYS[secret], rate_limit_per_minute: 1 };
  await expect.poll(async () => (await ask()).status).toBe(429);
});
