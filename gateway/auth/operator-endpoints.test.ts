import { hash } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATOR_TOKEN } from '#support/processes/service-process.ts';
import type { GatewayConfig } from '../config.ts';
import { routes } from '../routes/index.ts';
import { startGatewayUnderTest, type GatewayUnderTest } from '../testing/gateway-under-test.ts';
import { codeOf } from '../testing/test-gateway.ts';
import { startFakes, type Fakes } from '../testing/fake-services.ts';

const KEYS = '/api/v1/operator/keys';
const PATHS = routes
  .filter(({ access }) => access === 'the operator')
  .map(({ path }) => path.replace('{version}', 'real-20240628-1'));

let services: Fakes;
beforeAll(async () => {
  services = await startFakes();
});
afterAll(() => services?.stop());

/** Runs `work` with a gateway that has these settings. `logged` returns what the gateway has logged. */
async function withGateway(
  settings: Partial<GatewayConfig>,
  work: (gateway: GatewayUnderTest, logged: () => string) => Promise<void>,
): Promise<void> {
  let text = '';
  const log = pino({ level: 'debug' }, { write: (line) => (text += line) });
  const gateway = await startGatewayUnderTest(services.address, log, { TRUSTED_PROXIES: 0, ...settings });
  try {
    await work(gateway, () => text);
  } finally {
    await gateway.stop();
  }
}

test('the operator token grants access to every operator endpoint and is never logged', async () => {
  await withGateway({}, async ({ request }, logged) => {
    for (const path of PATHS) expect(codeOf(await request(path, OPERATOR_TOKEN)), path).toBe('200 ok');
    expect(logged()).toContain(KEYS);
    expect(logged()).not.toContain(OPERATOR_TOKEN);
  });
});

test('a missing token, a wrong token and an all-scopes API key get the same 401; the wrong token is not logged', async () => {
  const other = `${OPERATOR_TOKEN}-not`;
  await withGateway({ FAILED_AUTH_LIMIT: 1_000 }, async ({ request }, logged) => {
    for (const path of [...PATHS, '/api/v1/operator/nowhere'])
      for (const secret of [undefined, other, 'all-scopes'])
        expect(codeOf(await request(path, secret)), path).toBe('401 operator_token_required');
    expect(services.lookedUp).not.toContain(other);
    expect(logged()).not.toContain(other);
  });
});

test('the gateway accepts the old and the new operator token during a rotation', async () => {
  const hashes = [OPERATOR_TOKEN, 'another-token-of-the-operator'].map((token) =>
    hash('sha256', token, 'hex'),
  );
  await withGateway({ OPERATOR_TOKEN_SHA256: hashes.join() }, async ({ request }) => {
    expect(codeOf(await request(KEYS, OPERATOR_TOKEN))).toBe('200 ok');
    // The service behind the gateway knows only the first token.
    expect(codeOf(await request(KEYS, 'another-token-of-the-operator'))).not.toBe('200 ok');
    expect(codeOf(await request('/api/v1/operator/nowhere', 'another-token-of-the-operator'))).toBe(
      '404 not_found',
    );
    expect(codeOf(await request('/api/v1/operator/nowhere', 'a-third-token-of-nobody'))).toBe(
      '401 operator_token_required',
    );
  });
});

test('the operator token is refused as an API key', async () => {
  await withGateway({}, async ({ request }) => {
    expect(codeOf(await request('/api/v1/key', OPERATOR_TOKEN))).toBe('401 invalid_api_key');
  });
});

describe('the operator endpoints', () => {
  test.each<[where: string, settings: Partial<GatewayConfig>, isServed: boolean]>([
    ['on loopback', { OPERATOR_API: 'loopback' }, true],
    ['on loopback behind a proxy', { OPERATOR_API: 'loopback', TRUSTED_PROXIES: 1 }, false],
    ['on every address', { OPERATOR_API: 'loopback', HOST: '0.0.0.0' }, false],
    ['on every address where that is allowed', { OPERATOR_API: 'on', HOST: '0.0.0.0' }, true],
    ['switched off', { OPERATOR_API: 'off' }, false],
    ['without a hash of the token', { OPERATOR_API: 'on', OPERATOR_TOKEN_SHA256: '' }, false],
  ])('are served only where the settings allow it: %s', async (_where, settings, isServed) => {
    await withGateway(settings, async ({ request }) => {
      expect(codeOf(await request(KEYS, OPERATOR_TOKEN))).toBe(isServed ? '200 ok' : '401 invalid_api_key');
      expect(codeOf(await request(KEYS, 'all-scopes'))).toBe(
        isServed ? '401 operator_token_required' : '404 not_found',
      );
      const { paths } = (await request('/api/openapi.json')).body as { paths?: object };
      expect(Object.keys(paths!).includes(KEYS)).toBe(isServed);
    });
  });
});

test('an address that sends too many wrong tokens gets 429, but the right token still works', async () => {
  await withGateway({ FAILED_AUTH_LIMIT: 3 }, async ({ request }) => {
    const tries = [];
    for (let i = 0; i < 5; i++) tries.push(codeOf(await request(KEYS, 'wrong')));
    expect(tries).toEqual([
      ...Array<string>(3).fill('401 operator_token_required'),
      ...Array<string>(2).fill('429 rate_limited'),
    ]);
    expect(codeOf(await request(KEYS, OPERATOR_TOKEN))).toBe('200 ok');
  });
});

test('operator requests from one address are limited, with or without the right token', async () => {
  await withGateway({ OPEN_LIMIT: 3 }, async ({ request }) => {
    const requested = [];
    for (const secret of [OPERATOR_TOKEN, undefined, OPERATOR_TOKEN, OPERATOR_TOKEN])
      requested.push(codeOf(await request(KEYS, secret)));
    expect(requested).toEqual(['200 ok', '401 operator_token_required', '200 ok', '429 rate_limited']);
  });
});

test.each([
  ['SCHEDULER_ADDRESS', '/api/v1/operator/schedules'],
  ['FEED_ADDRESS', '/api/v1/operator/feed/sources'],
])('a gateway without %s answers 503 and names the missing setting', async (setting, path) => {
  await withGateway({ [setting]: '' }, async ({ request }) => {
    const response = await request(path, OPERATOR_TOKEN);
    expect(codeOf(response)).toBe('503 data_unavailable');
    expect(response.body.error?.message).toContain(setting);
  });
});
