import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HARD_LIFETIME_MS } from '#gateway/auth/key-cache.ts';
import { startFakes, type Fakes } from '#gateway/testing/fake-services.ts';
import { startGatewayUnderTest, type GatewayUnderTest } from '#gateway/testing/gateway-under-test.ts';
import { codeOf } from '#gateway/testing/test-gateway.ts';
import {
  identityOf,
  keysClient,
  OPERATOR_TOKEN,
  startService,
  type ServiceProcess,
} from '#support/processes/service-process.ts';
import { ownServers } from '#support/servers/servers.ts';
import { TESTER, TestKeys } from '#support/services/test-keys.ts';
import { TcpProxy } from '#support/servers/tcp-proxy.ts';

/** A real keys service on a real PostgreSQL, behind a real gateway, whose other services are fakes. */
const servers = ownServers();
const operator = { requestId: 'req_test', operatorToken: OPERATOR_TOKEN, actor: 'tester' };
let proxy: TcpProxy;
let service: ServiceProcess;
let keys: ReturnType<typeof keysClient>;
let fakes: Fakes;
let gateway: GatewayUnderTest;

beforeAll(async () => {
  proxy = await TcpProxy.start(servers.databaseUrl);
  service = await startService('keys', {
    DATABASE_URL: proxy.url,
    NATS_URL: servers.natsUrl,
    KEY_PEPPER: 'pepper-of-this-test-file',
    DEFAULT_RATE_LIMIT: '100000',
  });
  keys = keysClient(service.address, identityOf('gateway'));
  fakes = await startFakes();
  gateway = await startGatewayUnderTest(fakes.address, undefined, { KEYS_ADDRESS: service.address });
});
afterAll(async () => {
  keys?.close();
  await gateway?.stop();
  await fakes?.stop();
  await service?.kill('SIGKILL');
  proxy?.stop();
});

async function issue() {
  const limits = { rate_limit_per_minute: undefined, expires_at: undefined };
  const wish = { name: 'test', scopes: ['data:read'], labels: {}, ...limits };
  const { api_key, secret } = await keys.createKey(wish, operator);
  return { id: api_key!.id, secret };
}
const quote = async (secret: string) =>
  codeOf(await gateway.request('/api/v1/data/quotes?tickers=BBCA', secret));
const UNAVAILABLE = '503 data_unavailable';

test.each(['cut', 'hold'] as const)(
  'while the database is unavailable (%s), keys that were checked go on beyond the lifetime of a gateway’s entry, and others do not',
  async (how) => {
    const [checked, unchecked] = [await issue(), await issue()];
    expect(await quote(checked.secret)).toBe('200 ok');
    proxy[how]();
    try {
      for (let waitedMs = 0; waitedMs < 3 * HARD_LIFETIME_MS; waitedMs += 100) {
        expect(await quote(checked.secret)).toBe('200 ok');
        await sleep(100);
      }
      expect(await quote(unchecked.secret)).toBe(UNAVAILABLE);
      const disabling = keys.disableKey({ id: checked.id }, operator);
      await expect(disabling).rejects.toMatchObject({ code: 'data_unavailable' });
    } finally {
      proxy.mend();
    }
    const opens = () => quote(unchecked.secret);
    await expect.poll(opens).toBe('200 ok');
    await keys.disableKey({ id: checked.id }, operator);
    await expect.poll(() => quote(checked.secret)).toBe('403 key_disabled');
  },
);

test('secrets and sessions that end while the database is unavailable do not go on', async () => {
  const own = new TestKeys();
  await own.start(proxy.url);
  const [expiring, rotated] = [await own.create(), await own.create()];
  const [graceSeconds, end] = [60, new Date(own.nowMs + 60_000)];
  await own.keys.update(expiring.key.id, { expiresAt: end, neverExpires: false, labels: {} }, TESTER);
  const { secret: newest } = await own.keys.rotate(rotated.key.id, graceSeconds, TESTER);
  const { secret: session } = await own.sessions.start(rotated.key.id, 'test', rotated.secret);
  const secrets = [expiring.secret, rotated.secret, session, newest];
  const opened = () => Promise.all(secrets.map((secret) => own.opened(secret)));
  const ids = [expiring.key.id, ...Array<string>(3).fill(rotated.key.id)];
  expect(await opened()).toEqual(ids);
  proxy.cut();
  try {
    own.nowMs = end.getTime() - 1;
    expect(await opened()).toEqual(ids);
    own.nowMs = end.getTime();
    const isOpened = (await opened()).map((id, place) => id === ids[place]);
    expect(isOpened).toEqual([false, false, false, true]);
  } finally {
    proxy.mend();
    await own.database.destroy();
  }
});

test('a gateway that gets no answer from the keys service refuses keys once their entry is too old', async () => {
  const { secret } = await issue();
  expect(await quote(secret)).toBe('200 ok');
  await service.kill('SIGKILL');
  await sleep(HARD_LIFETIME_MS);
  expect(await quote(secret)).toBe(UNAVAILABLE);
});
