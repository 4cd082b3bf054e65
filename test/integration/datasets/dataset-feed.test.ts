import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { migrations } from '#services/market-data/store/migrations/index.ts';
import { connectClickHouse, type ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { migrateClickHouse } from '#platform/clickhouse/migrate.ts';
import { DatasetFeed, readDatasets } from '#shared/market/dataset-feed.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { PrivateServer } from '#support/servers/private-server.ts';

/** For events that the test does not trigger. They come within a second, but later on a busy machine. */
const NEVER_MS = 3_600_000;

let clickhouseServer: PrivateServer;
let natsServer: PrivateServer;
let clickhouse: ClickHouseClient;
let nats: NatsConnection;
let feed: DatasetFeed | undefined;

beforeAll(async () => {
  [clickhouseServer, natsServer] = await Promise.all([PrivateServer.clickhouse(), PrivateServer.nats()]);
  clickhouse = connectClickHouse(clickhouseServer.url);
  const { host, username, password } = new URL(natsServer.url);
  nats = await connect({ servers: host, user: username, pass: password });
});
afterEach(() => feed?.stop());
afterAll(async () => {
  await Promise.all([clickhouse.close(), nats.close()]);
  await Promise.all([clickhouseServer.remove(), natsServer.remove()]);
});

async function emptyTable(): Promise<void> {
  await migrateClickHouse(clickhouse, 'market', migrations);
  await clickhouse.command({ query: 'TRUNCATE TABLE market.dataset' });
  await clickhouse.command({ query: 'TRUNCATE TABLE market.served' });
}

let lastSecond = 10;
async function publish(version: string, last_date = '2026-11-19'): Promise<void> {
  await clickhouse.insert({
    table: 'market.dataset',
    values: [
      { version, kind: 'real', bars: 5, last_date, published_at: `2026-11-20 05:00:${++lastSecond}.250` },
    ],
    format: 'JSONEachRow',
  });
  await serve(version);
}

async function serve(version: string): Promise<void> {
  const served_at = `2026-11-20 05:00:${++lastSecond}.250`;
  await clickhouse.insert({
    table: 'market.served',
    values: [{ version, served_at }],
    format: 'JSONEachRow',
  });
}

function following(pollMs: number): string[] {
  const seen: string[] = [];
  const onServed = ({ version }: Dataset) => void seen.push(version);
  const log = createLogger('test', 'silent');
  feed = new DatasetFeed({
    clickhouse,
    nats,
    log,
    pollMs,
    onServed,
    onLost: (version) => void seen.push(`lost ${version}`),
  });
  feed.start();
  return seen;
}

test('a feed without any dataset does not fail, and notices the first publication', async () => {
  const seen = following(200);
  await feed!.poll();
  expect([feed!.served, seen]).toEqual([undefined, []]);
  await emptyTable();
  await publish('first');
  await expect.poll(() => seen).toEqual(['first']);
  expect(feed!.served).toMatchObject({
    version: 'first',
    bars: 5,
    published_at: new Date('2026-11-20T05:00:11.250Z'),
  });
});

test('an announcement alone is enough, and a version is reported once', async () => {
  await emptyTable();
  await publish('old');
  const seen = following(NEVER_MS);
  await expect.poll(() => seen).toEqual(['old']);
  await publish('new');
  for (let i = 0; i < 3; i++) nats.publish('changed.dataset', 'new');
  await expect.poll(() => seen).toEqual(['old', 'new']);
  await feed!.poll();
  expect(seen).toEqual(['old', 'new']);
});

test('polling finds an unannounced version, even after a ClickHouse outage', async () => {
  await emptyTable();
  const seen = following(100);
  await publish('silent');
  await expect.poll(() => seen).toEqual(['silent']);
  await clickhouseServer.kill9();
  await feed!.poll();
  expect(feed!.served!.version).toBe('silent');
  await clickhouseServer.start();
  await publish('later');
  await expect.poll(() => seen).toEqual(['silent', 'later']);
});

test('a request for a trading day finds the version that has it, even without an announcement', async () => {
  await emptyTable();
  await publish('yesterday', '2026-11-19');
  const seen = following(NEVER_MS);
  await expect.poll(() => seen).toEqual(['yesterday']);
  await publish('today', '2026-11-20');
  expect([await feed!.reach('2026-11-19'), await feed!.reach('')]).toEqual([true, true]);
  expect(seen).toEqual(['yesterday']);
  expect(await feed!.reach('2026-11-20')).toBe(true);
  expect(seen).toEqual(['yesterday', 'today']);
  expect(await feed!.reach('2026-11-23')).toBe(false);
});

test('the feed follows the served version to an older one, whatever is newer', async () => {
  await emptyTable();
  const seen = following(100);
  await publish('older');
  await publish('newer');
  await expect.poll(() => seen).toContain('newer');
  await serve('older');
  await expect.poll(() => seen.at(-1)).toBe('older');
  await serve('newer');
  await expect.poll(() => seen.at(-1)).toBe('newer');
});

test('a served version that is missing is reported once, and no other takes its place', async () => {
  await emptyTable();
  await publish('there');
  await serve('gone');
  const seen = following(50);
  await expect.poll(() => seen).toEqual(['lost gone']);
  for (let check = 0; check < 3; check++) await feed!.poll();
  expect([seen, feed!.served]).toEqual([['lost gone'], undefined]);
  await serve('there');
  await expect.poll(() => seen).toEqual(['lost gone', 'there']);
});

test('a stopped feed reports nothing', async () => {
  await emptyTable();
  const seen = following(50);
  await feed!.poll();
  feed!.stop();
  await publish('unseen');
  nats.publish('changed.dataset', 'unseen');
  await nats.flush();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(seen).toEqual([]);
});

test('datasets are read newest first', async () => {
  await emptyTable();
  for (const version of ['a', 'b', 'c']) await publish(version);
  const versions = (await readDatasets(clickhouse, { limit: 2 })).map(({ version }) => version);
  expect(versions).toEqual(['c', 'b']);
});
