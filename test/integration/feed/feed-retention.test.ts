import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import { Retention } from '#services/feed/retention.ts';
import type { MarketState } from '#services/feed/market/served-market.ts';
import { BACKUP_LOCK } from '#platform/postgres/backup-lock.ts';
import { feedDatabase } from '#support/feed/feed-database.ts';
import { idxFile, tarGzOf } from '#support/markets/idx-archive.ts';
import { clientOf, identityOf } from '#support/processes/service-process.ts';
import { ownServers } from '#support/servers/servers.ts';
import { whileLocked } from '#support/servers/while-locked.ts';
import { operator } from '#support/services/dataset-client.ts';
import { testMarketData } from '#support/services/test-market-data.ts';

const servers = ownServers();
const own = testMarketData();
const store = feedDatabase(servers);
const log = pino({ level: 'silent' });
const KEEP = 2;
const HOUR_MS = 3_600_000;
let datasets: ReturnType<typeof clientOf<typeof DatasetServiceService>>;

beforeAll(async () => {
  datasets = clientOf(DatasetServiceService, own.address, { identity: identityOf('feed') });
});
afterAll(async () => {
  datasets?.close();
});

let close = 100;
async function publish(kind = 'real'): Promise<string> {
  const bytes = await tarGzOf({ 'AAAA.csv': idxFile([{ date: '2024-06-28', close: ++close }]) });
  return (await own.importBytes(bytes, { kind })).dataset!.version;
}

/** As the feed prunes so many milliseconds from now. */
async function pruneIn(ms: number, kind = 'real'): Promise<void> {
  const clock = () => new Date(Date.now() + ms);
  await new Retention({ database: store.database, datasets, keepVersions: KEEP, clock, log }).prune({
    kind,
  } as MarketState);
}

async function versions(): Promise<string[]> {
  return (await own.datasets.listDatasets({}, operator)).datasets.map(({ version }) => version).toReversed();
}

/** Four versions, of which nothing was removed. */
let published: string[];
async function publishFour(kind?: string): Promise<void> {
  await pruneIn(2 * HOUR_MS, kind);
  const before = await versions();
  published = [...before];
  while (published.length < 4) published.push(await publish(kind));
  expect(await versions()).toEqual(published);
}
beforeEach(() => publishFour());

test('the newest versions stay and all older ones go, with their rows', async () => {
  await pruneIn(2 * HOUR_MS);
  expect(await versions()).toEqual(published.slice(-KEEP));
  const rows = await own.select<{ version: string }>(
    'SELECT DISTINCT dataset_version AS version FROM market.daily_bar ORDER BY version',
  );
  expect(rows.map(({ version }) => version)).toEqual(published.slice(-KEEP).toSorted());
});

test('versions of a real market that were served within the last hour stay, so that one can go back to them', async () => {
  await pruneIn(0);
  expect(await versions()).toEqual(published);
});

test('a version that was served until within the last hour stays, however long ago its service began', async () => {
  const [oldest, ...others] = published;
  await own.datasets.useDataset({ version: oldest!, reason: '' }, operator);
  const { served } = await own.datasets.listServedDatasets({ limit: 1 }, operator);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const newest = await publish();
  const since = served[0]!.served_at!.getTime() + 10;
  await pruneIn(since + HOUR_MS - Date.now());
  expect(await versions()).toEqual([oldest, ...[...others, newest].slice(-KEEP)]);
});

test('the version that is served stays, however old it is', async () => {
  await own.datasets.useDataset({ version: published[0]!, reason: '' }, operator);
  await pruneIn(2 * HOUR_MS);
  expect(await versions()).toEqual([published[0], ...published.slice(-KEEP)]);
});

test('nothing is removed while a backup is running, and everything old is afterwards', async () => {
  await whileLocked(store.database, sql`select pg_advisory_xact_lock_shared(${BACKUP_LOCK})`, async () => {
    await pruneIn(2 * HOUR_MS);
    expect(await versions()).toEqual(published);
  });
  await pruneIn(2 * HOUR_MS);
  expect(await versions()).toEqual(published.slice(-KEEP));
});

test('of a generated market only the newest versions stay, because a new day may come every few seconds', async () => {
  await publishFour('synthetic');
  await pruneIn(0, 'synthetic');
  expect(await versions()).toEqual(published.slice(-KEEP));
});
