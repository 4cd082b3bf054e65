import { expect, test } from 'vitest';
import { codeOf, testGateway } from '../testing/test-gateway.ts';
import { KEYS } from '../testing/fake-keys.ts';

const own = testGateway();

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
])('a request with the key %s and headers %o gets %s', async (secret, headers, expected) => {
  expect(codeOf(await own.request('/api/v1/models', secret, { headers }))).toBe(expected);
});

test('a disabled key has a rate limit too', async () => {
  const responses = [];
  for (let i = 0; i < 3; i++) responses.push(await own.request('/api/v1/models', 'disabled-two-a-minute'));
  expect(responses.map(codeOf)).toEqual(['403 key_disabled', '403 key_disabled', '429 rate_limited']);
});

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
const models = (secret: string, address: string) => own.request('/api/v1/models', secret, from(address));

test('an address that tried too many unknown keys causes no more look-ups, but known keys still work', async () => {
  expect((await models('all-scopes', '192.0.2.1')).status).toBe(200);
  const responses = [];
  for (let i = 0; i < 22; i++) responses.push(await models(`guess-${i}`, '192.0.2.1'));
  expect(responses.slice(0, 20).every(({ status }) => status === 401)).toBe(true);
  expect(responses.slice(20).map(codeOf)).toEqual(['429 rate_limited', '429 rate_limited']);
  expect(responses[21]!.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(own.services.lookedUp.filter((secret) => secret.startsWith('guess-'))).toHaveLength(20);
  expect((await models('all-scopes', '192.0.2.1')).status).toBe(200);
  expect(codeOf(await models('known-elsewhere', '192.0.2.1'))).toBe('429 rate_limited');
  expect((await models('known-elsewhere', '192.0.2.2')).status).toBe(200);
  expect((await models('known-elsewhere', '192.0.2.1')).status).toBe(200);
  expect((await models('guess-x', '192.0.2.2')).status).toBe(401);
});

test('a known key still works after it changes, even from an address that tried too many unknown keys', async () => {
  expect((await models('models-only', '192.0.2.3')).status).toBe(200);
  for (let i = 0; i < 21; i++) await models(`another-guess-${i}`, '192.0.2.3');
  KEYS['models-only'] = { ...KEYS['models-only']!, rate_limit_per_minute: 900 };
  own.gateway.announceChange('key_models');
  const { status, headers } = await models('models-only', '192.0.2.3');
  expect([status, headers.get('x-ratelimit-limit')]).toEqual([200, '900']);
  expect((await models('another-guess', '192.0.2.3')).status).toBe(429);
});
