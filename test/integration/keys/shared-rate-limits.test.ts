import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startGatewayUnderTest, type GatewayUnderTest } from '#gateway/testing/gateway-under-test.ts';
import { KEYS } from '#gateway/testing/fake-keys.ts';
import { startFakes, type Fakes } from '#gateway/testing/fake-services.ts';
import { HANGS_AFTER_MS } from '#support/hangs.ts';
import { PrivateServer } from '#support/servers/private-server.ts';
import { hasRedis } from '#support/servers/redis-server.ts';
import { needing } from '#support/needing.ts';

/** Much longer than a Redis on a busy machine takes to answer, so only one that is unavailable exceeds it. */
const PATIENCE_MS = HANGS_AFTER_MS;
const LIMIT = 10;

let redis: PrivateServer;
let services: Fakes;
let gateways: GatewayUnderTest[] = [];
const lines: string[][] = [[], []];

/** A key whose limit no test has used. */
function newKey(limit = LIMIT): string {
  const secret = `shared-${Object.keys(KEYS).length}`;
  KEYS[secret] = { ...KEYS['all-scopes']!, id: `key_${secret}`, rate_limit_per_minute: limit };
  return secret;
}

const ask = (gateway: GatewayUnderTest, secret: string) => gateway.request('/api/v1/models', secret);

/** Sends so many requests to all gateways in turn, in parallel. Returns how many pass. */
async function passed(secret: string, requests: number, among = gateways): Promise<number> {
  const responses = await Promise.all(
    Array.from({ length: requests }, (_, i) => ask(among[i % among.length]!, secret)),
  );
  const statuses = new Set(responses.map(({ status }) => status));
  expect([...statuses].filter((status) => status !== 200 && status !== 429)).toEqual([]);
  return responses.filter(({ status }) => status === 200).length;
}

const messagesOf = (gateway: number) =>
  lines[gateway]!.map((line) => (JSON.parse(line) as { msg: string }).msg).filter((msg) =>
    msg.startsWith('Redis'),
  );

/** Waits until each gateway sees the counts of the other. */
async function untilShared(): Promise<void> {
  await vi.waitUntil(async () => (await passed(newKey(2), 4)) === 2, {
    timeout: HANGS_AFTER_MS,
    interval: 100,
  });
}

describe('with Redis', needing("Debian's redis-server", hasRedis), () => {
  beforeAll(async () => {
    [redis, services] = await Promise.all([PrivateServer.redis(), startFakes()]);
    gateways = await Promise.all(
      lines.map((written) =>
        startGatewayUnderTest(services.address, pino({}, { write: (line) => written.push(line) }), {
          RATE_LIMIT_REDIS_URL: redis.url,
          RATE_LIMIT_REDIS_TIMEOUT_MS: PATIENCE_MS,
          FAILED_AUTH_LIMIT: LIMIT,
          COST_PER_REQUEST_MS: 1,
        }),
      ),
    );
    await untilShared();
  });
  afterAll(async () => {
    for (const gateway of gateways) await gateway.stop();
    await services?.stop();
    await redis?.remove();
  });

  test('two gateways together let exactly the limit of a key through', async () => {
    expect(await passed(newKey(), 3 * LIMIT)).toBe(LIMIT);
  });

  test('the headers of one gateway include what the other counted', async () => {
    const secret = newKey();
    const first = await ask(gateways[0]!, secret);
    const { headers } = await ask(gateways[1]!, secret);
    expect([first.headers.get('x-ratelimit-remaining'), headers.get('x-ratelimit-remaining')]).toEqual([
      String(LIMIT - 1),
      String(LIMIT - 2),
    ]);
    const secondsLeft = Number(headers.get('x-ratelimit-reset')) - Date.now() / 1_000;
    expect(secondsLeft).toBeLessThanOrEqual(61);
    expect(secondsLeft).toBeGreaterThan(0);
    expect(headers.get('ratelimit')).toMatch(/^limit=10, remaining=8, reset=([1-9]|[1-5]\d|60)$/);
  });

  test('two gateways charge one budget of a key, whose minute begins with the first charge', async () => {
    const secret = newKey();
    const preview = (gateway: GatewayUnderTest) =>
      gateway.request('/api/v1/screens/preview', secret, {
        method: 'POST',
        body: '{"rules":"close > 1"}',
        headers: { 'content-type': 'application/json', 'x-end-user': 'user-42' },
      });
    const answers = [];
    for (let i = 0; i < 4; i++) answers.push(await preview(gateways[i % 2]!));
    const seen = answers.map(({ status, headers }) => [status, headers.get('x-cost-remaining')]);
    expect(seen).toEqual([[200, '5'], [200, '0'], [429, '0'], [429, '0']]); // prettier-ignore
    expect(answers[2]!.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
  });

  test('a limit changed within the minute applies at once to requests already counted', async () => {
    const secret = newKey(4);
    expect(await passed(secret, 6)).toBe(4);
    KEYS[secret] = { ...KEYS[secret]!, rate_limit_per_minute: 9 };
    await expect
      .poll(async () => (await ask(gateways[0]!, secret)).headers.get('x-ratelimit-limit'))
      .toBe('9');
    KEYS[secret] = { ...KEYS[secret], rate_limit_per_minute: 1 };
    await expect
      .poll(async () => (await ask(gateways[1]!, secret)).headers.get('x-ratelimit-limit'))
      .toBe('1');
    expect((await ask(gateways[1]!, secret)).status).toBe(429);
  });

  test('both gateways share one budget of unknown keys per address', async () => {
    const tried = async (gateway: GatewayUnderTest, i: number) =>
      (
        await gateway.request('/api/v1/models', `guess-${i}`, {
          headers: { 'x-forwarded-for': '192.0.2.77' },
        })
      ).status;
    const statuses = [];
    for (let i = 0; i < LIMIT + 6; i++) statuses.push(await tried(gateways[i % 2]!, i));
    expect(statuses).toEqual([...Array<number>(LIMIT).fill(401), ...Array<number>(6).fill(429)]);
  });

  test.each([
    ['is killed', () => redis.kill9(), () => redis.start()],
    ['hangs', () => redis.freeze(), () => Promise.resolve(redis.thaw())],
  ])('while Redis %s each gateway limits on its own; afterwards they share again', async (_, end, begin) => {
    await untilShared();
    for (const written of lines) written.length = 0;
    await end();
    const waiting = newKey();
    await Promise.all(gateways.map((gateway) => ask(gateway, waiting)));

    const begun = performance.now();
    const alone = [newKey(), newKey()];
    for (const [i, secret] of alone.entries())
      expect(await passed(secret, 2 * LIMIT, [gateways[i]!])).toBe(LIMIT);
    // A single request that waited would take the whole patience.
    expect(performance.now() - begun, 'no request waits once the gateway knows').toBeLessThan(HANGS_AFTER_MS);
    for (const i of [0, 1]) expect(messagesOf(i)).toEqual([expect.stringContaining('Redis is unavailable')]);

    await begin();
    await untilShared();
    expect(await passed(newKey(), 3 * LIMIT)).toBe(LIMIT);
    for (const i of [0, 1]) {
      expect(messagesOf(i)).toEqual([
        expect.stringContaining('Redis is unavailable'),
        expect.stringContaining('Redis is back'),
      ]);
    }
  });

  test('the requests a key spent at a gateway still count when Redis goes down', async () => {
    await untilShared();
    const secret = newKey();
    expect(await passed(secret, LIMIT, [gateways[0]!])).toBe(LIMIT);
    await redis.kill9();
    expect(await passed(secret, LIMIT, [gateways[0]!])).toBe(0);
    await redis.start();
  });

  test.each([
    ['is unavailable', () => 'redis://:hidden-word@127.0.0.1:1'],
    ['refuses it', () => redis.url.replace(/:[^:@]*@/, ':hidden-word@')],
  ])('a gateway whose Redis %s starts, limits, logs it once, and shows no password', async (_, url) => {
    const written: string[] = [];
    const gateway = await startGatewayUnderTest(
      services.address,
      pino({}, { write: (line) => written.push(line) }),
      { RATE_LIMIT_REDIS_URL: url() },
    );
    expect(await passed(newKey(), 2 * LIMIT, [gateway])).toBe(LIMIT);
    await gateway.stop();
    expect(written.filter((line) => line.includes('Redis'))).toEqual([
      expect.stringContaining('Redis is unavailable'),
    ]);
    expect(written.join('')).not.toContain('hidden-word');
  });
});
