import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGatewayUnderTest, type GatewayUnderTest } from '../testing/gateway-under-test.ts';
import { codeOf, testGateway } from '../testing/test-gateway.ts';

const own = testGateway();
const ORIGIN = 'https://app.example.com';
const RUNS = '/api/v1/models/model_f_combined/runs';
const FAILED_AUTH_LIMIT = 5;

let gateway: GatewayUnderTest;
const lines: { method: string }[] = [];
beforeAll(async () => {
  const log = pino({}, { write: (line) => lines.push(JSON.parse(line) as { method: string }) });
  const CORS_ORIGINS = `https://other.example.com,${ORIGIN}`;
  gateway = await startGatewayUnderTest(own.services.address, log, { CORS_ORIGINS, FAILED_AUTH_LIMIT });
});
afterAll(() => gateway.stop());

/** Each test has an address of its own, whose limit no other test uses up. */
let addresses = 0;
const fromNewAddress = () => ({ 'x-forwarded-for': `192.0.2.${++addresses}` });

function preflight(path: string, headers: Record<string, string> = {}, of = gateway) {
  const asked = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  };
  const init = { method: 'OPTIONS', headers: { origin: ORIGIN, ...asked, ...headers } };
  return of.request(path, undefined, init);
}

const listOf = (headers: Headers, name: string) => headers.get(name)?.toLowerCase().split(/, ?/) ?? [];
const corsHeadersOf = (headers: Headers) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));

describe('a page of a listed origin', () => {
  test('may send every header that the API reads, with every method, and keep the answer for two hours', async () => {
    const { status, headers } = await preflight(RUNS, fromNewAddress());
    expect([status, headers.get('content-length')]).toEqual([204, '0']);
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(listOf(headers, 'vary')).toContain('origin');
    expect(headers.get('access-control-max-age')).toBe('7200');
    expect(headers.get('x-request-id')).toMatch(/^req_/);
    expect(listOf(headers, 'access-control-allow-methods')).toEqual(['get', 'head', 'post', 'put', 'delete']);
    expect(listOf(headers, 'access-control-allow-headers')).toEqual(
      expect.arrayContaining([
        'authorization',
        'x-api-key',
        'content-type',
        'content-encoding',
        'traceparent',
        'x-end-user',
        'idempotency-key',
        'if-none-match',
        'last-event-id',
        'accept-language',
      ]),
    );
  });

  test('can read responses with all headers that the reference declares', async () => {
    const { status, headers } = await gateway.request('/api/v1/data/quotes?tickers=BBCA', 'all-scopes', {
      headers: { origin: ORIGIN },
    });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, ORIGIN]);
    expect(listOf(headers, 'vary')).toEqual(['origin', 'accept-encoding']);
    expect(listOf(headers, 'access-control-expose-headers')).toEqual(
      expect.arrayContaining([
        'x-request-id',
        'x-ratelimit-remaining',
        'retry-after',
        'location',
        'etag',
        'allow',
      ]),
    );
  });

  test.each([
    ['with an unknown key', '/api/v1/models', '401 invalid_api_key'],
    ['of an unknown path', '/api/nowhere', '404 not_found'],
  ])('can read a refusal %s', async (_name, path, expected) => {
    const init = { headers: { origin: ORIGIN, authorization: 'Bearer unknown', ...fromNewAddress() } };
    const response = await gateway.request(path, undefined, init);
    expect(codeOf(response)).toBe(expected);
    expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
  });

  test('can read that the limit of its address is spent; preflights neither count nor end with it', async () => {
    const from = fromNewAddress();
    for (let i = 0; i < 3 * FAILED_AUTH_LIMIT; i++) expect((await preflight(RUNS, from)).status).toBe(204);
    const withoutKey = () =>
      gateway.request('/api/v1/models', undefined, { headers: { origin: ORIGIN, ...from } });
    for (let i = 0; i < FAILED_AUTH_LIMIT; i++)
      expect(codeOf(await withoutKey())).toBe('401 missing_api_key');
    const refused = await withoutKey();
    expect(codeOf(refused)).toBe('429 rate_limited');
    expect(refused.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(listOf(refused.headers, 'access-control-expose-headers')).toContain('retry-after');
    expect((await preflight(RUNS, from)).status).toBe(204);
  });

  test('takes nothing of the limit of its key by preflights', async () => {
    const remaining = async () => {
      const { headers } = await gateway.request('/api/v1/models', 'all-scopes');
      return Number(headers.get('x-ratelimit-remaining'));
    };
    const before = await remaining();
    for (let i = 0; i < 5; i++) await preflight('/api/v1/models', fromNewAddress());
    expect(await remaining()).toBe(before - 1);
  });

  test('is never let in by a cookie', async () => {
    const answers = [
      await preflight(RUNS, fromNewAddress()),
      await gateway.request('/api/v1/models', 'all-scopes', { headers: { origin: ORIGIN } }),
    ];
    for (const { headers } of answers) expect(headers.has('access-control-allow-credentials')).toBe(false);
  });

  test('fills no log with its preflights', async () => {
    lines.length = 0;
    await preflight(RUNS, fromNewAddress());
    await gateway.request('/api/v1/models', 'all-scopes');
    await expect.poll(() => lines.length).toBe(1);
    expect(lines[0]!.method).toBe('GET');
  });
});

test.each([
  'https://evil.example.com',
  'https://app.example.com.evil.example',
  'http://app.example.com',
  'https://app.example.com:8443',
  'HTTPS://APP.EXAMPLE.COM',
  'null',
])('a page of %s gets no access, and its preflight counts like any request without a key', async (origin) => {
  const from = { ...fromNewAddress(), origin };
  for (let i = 0; i < FAILED_AUTH_LIMIT; i++) {
    const asked = await preflight(RUNS, from);
    expect(asked.status).toBe(401);
    expect(asked.headers.has('access-control-allow-origin')).toBe(false);
  }
  expect((await preflight(RUNS, from)).status).toBe(429);
  const { status, headers } = await gateway.request('/api/v1/models', 'all-scopes', { headers: { origin } });
  expect([status, headers.has('access-control-allow-origin')]).toEqual([200, false]);
  expect(listOf(headers, 'vary'), 'a cache keeps both apart').toContain('origin');
});

test('the console is for pages of no other origin', async () => {
  const { headers } = await fetch(`${gateway.baseUrl}/console`, { headers: { origin: ORIGIN } });
  expect(corsHeadersOf(headers)).toEqual([]);
});

test('without origins in the settings, no page of another origin has access', async () => {
  const asked = await preflight(RUNS, {}, own.gateway);
  expect(asked.status).toBe(401);
  const { headers } = await own.request('/api/v1/models', 'all-scopes', { headers: { origin: ORIGIN } });
  expect([...corsHeadersOf(asked.headers), ...corsHeadersOf(headers)]).toEqual([]);
  expect(listOf(headers, 'vary')).not.toContain('origin');
});
