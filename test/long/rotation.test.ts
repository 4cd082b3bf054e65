import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Schemas } from '#client/index.ts';
import { startGatewayUnderTest, type GatewayUnderTest } from '#gateway/testing/gateway-under-test.ts';
import { startFakes, type Fakes } from '#gateway/testing/fake-services.ts';
import { pepperId } from '#foundation/ids.ts';
import { connectClickHouse } from '#platform/clickhouse/clickhouse.ts';
import { keysClient, startService, type ServiceProcess } from '#support/processes/service-process.ts';
import { Rest } from '#support/rest/rest.ts';
import { PrivateServer } from '#support/servers/private-server.ts';
import { ownServers } from '#support/servers/servers.ts';
import { TcpProxy } from '#support/servers/tcp-proxy.ts';
import { insertUsage, usageEvent } from '#support/usage/usage-events.ts';

const PAUSE_MS = 10;
const EVENTS = 40;
const OLD = {
  pepper: 'the-old-pepper-of-a-test',
  cursor: 'the-old-cursor-secret',
  operator: 'the-old-operator-token',
};
const NEW = {
  pepper: 'the-new-pepper-of-a-test',
  cursor: 'the-new-cursor-secret',
  operator: 'the-new-operator-token',
};
/** The stages of a rotation. Each is complete on all copies before the next starts, so no copy meets an unknown secret. */
const STAGES = [[OLD], [OLD, NEW], [NEW, OLD], [NEW]];

const servers = ownServers();
let clickhouse: PrivateServer;
let fakes: Fakes;
let gateway: GatewayUnderTest;
/** A stable address for each service, for whichever process runs. */
const addresses: Record<string, TcpProxy> = {};
const processes: Record<string, ServiceProcess> = {};

const listed = (secrets: (typeof OLD)[], of: keyof typeof OLD) => secrets.map((one) => one[of]).join();

/** Starts the next copy, redirects callers to it, and lets the previous copy finish. */
async function replace(name: 'keys' | 'usage', secrets: (typeof OLD)[]): Promise<void> {
  const before = processes[name];
  const next = await startService(name, {
    DATABASE_URL: servers.databaseUrl,
    NATS_URL: servers.natsUrl,
    CLICKHOUSE_URL: clickhouse.url,
    USAGE_RETENTION_DAYS: '0',
    KEY_PEPPER: listed(secrets, 'pepper'),
    CURSOR_SECRET: listed(secrets, 'cursor'),
    OPERATOR_TOKEN: listed(secrets, 'operator'),
  });
  processes[name] = next;
  const target = `http://${next.address}`;
  if (addresses[name]) addresses[name].leadTo(target);
  else addresses[name] = await TcpProxy.start(target);
  await before?.kill();
}

/** Creates a key as an operator with this token. */
async function issue(operatorToken: string): Promise<{ id: string; secret: string }> {
  const client = keysClient(processes['keys']!.address);
  const request = { name: 'test', scopes: ['usage:read'], rate_limit_per_minute: 1_000_000, labels: {} };
  const call = { requestId: 'req_test', operatorToken, actor: 'tester' };
  const { api_key, secret } = await client.createKey({ ...request, expires_at: undefined }, call);
  client.close();
  return { id: api_key!.id, secret };
}

beforeAll(async () => {
  [clickhouse, fakes] = await Promise.all([PrivateServer.clickhouse(), startFakes()]);
  await replace('keys', STAGES[0]!);
  await replace('usage', STAGES[0]!);
  const at = (name: string) => new URL(addresses[name]!.url).host;
  gateway = await startGatewayUnderTest(fakes.address, undefined, {
    KEYS_ADDRESS: at('keys'),
    USAGE_ADDRESS: at('usage'),
  });
});
afterAll(async () => {
  await gateway?.stop();
  await fakes?.stop();
  await Promise.all(Object.values(processes).map((process) => process.kill()));
  for (const proxy of Object.values(addresses)) proxy.stop();
  await clickhouse?.remove();
});

test('pepper, cursor secret and operator token are rotated under load, and no request is refused', async () => {
  const { id, secret } = await issue(OLD.operator);
  const unused = await issue(OLD.operator);
  const sql = connectClickHouse(clickhouse.url);
  const events = Array.from({ length: EVENTS }, (_, index) =>
    usageEvent({ api_key_id: id, ts: new Date(Date.UTC(2026, 0, 1, 0, index)) }),
  );
  // Retry until the service has created the table, which it does before its first write.
  await expect
    .poll(() =>
      insertUsage(sql, events).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  await sql.close();

  const rest = new Rest(gateway.baseUrl, secret);
  const outcomes = new Map<string, number>();
  let isOver = false;
  /** Reads all pages repeatedly, so that cursors from one stage are used in the next. */
  const reading = (async () => {
    let cursor: string | null = null;
    while (!isOver) {
      const path: string = `/api/v1/usage/events?limit=1${cursor ? `&cursor=${cursor}` : ''}`;
      const { status, body } = await rest.get<Schemas['UsagePage']>(path);
      const outcome = status === 200 ? 'answered' : `${status} ${JSON.stringify(body)}`;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      cursor = body.next_cursor;
      await sleep(PAUSE_MS);
    }
  })();

  for (const secrets of STAGES) {
    await replace('keys', secrets);
    await replace('usage', secrets);
    for (const { operator } of secrets) {
      const fresh = await issue(operator);
      // This key is in no cache, so the gateway must call the keys service.
      expect((await rest.get('/api/v1/usage/events?limit=1', { key: fresh.secret })).status).toBe(200);
    }
    gateway.announceChange(id);
    await sleep(500);
  }
  await expect(issue(OLD.operator)).rejects.toMatchObject({ code: 'operator_token_required' });
  isOver = true;
  await reading;

  expect([...outcomes.keys()]).toEqual(['answered']);
  expect(outcomes.get('answered')).toBeGreaterThan(100);
  const database = new pg.Client(servers.databaseUrl);
  await database.connect();
  const pepperOf = async (key: string) => {
    const found = await database.query<{ pepper_id: string }>(
      'select pepper_id from keys.key_secret where key_id = $1',
      [key],
    );
    return found.rows.map(({ pepper_id }) => pepper_id);
  };
  // A secret that was used during the rotation is stored under the new pepper; an unused one still needs the old pepper.
  expect(await pepperOf(id)).toEqual([pepperId(NEW.pepper)]);
  expect(await pepperOf(unused.id)).toEqual([pepperId(OLD.pepper)]);
  await database.end();
  expect((await rest.get('/api/v1/usage/events', { key: unused.secret })).status).toBe(401);
});
