import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql, type Kysely } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { FeedServiceService } from '#proto/saring/feed/v1/feed.ts';
import { newestDueDay } from '#quant/exchange/calendar/due-days.ts';
import { IDX_CALENDAR } from '#quant/exchange/calendar/trading-calendar.ts';
import { migrations } from '#services/feed/store/migrations/index.ts';
import type { FeedTables } from '#services/feed/store/tables.ts';
import { jakartaDay } from '#foundation/jakarta-time.ts';
import { openPostgres } from '#platform/postgres/open-postgres.ts';
import { startFeed } from '#support/feed/feed-process.ts';
import { daysBefore, RecordedExchange } from '#support/feed/recorded-exchange.ts';
import { clientOf, type ServiceProcess } from '#support/processes/service-process.ts';
import { ownServers } from '#support/servers/servers.ts';
import { whileLocked } from '#support/servers/while-locked.ts';
import { operator } from '#support/services/dataset-client.ts';
import { testMarketData } from '#support/services/test-market-data.ts';
import { IN_TIME } from '#support/hangs.ts';

const servers = ownServers();
const own = testMarketData({ isWatched: true });
const SOURCE = 'exchange';
const DAY = newestDueDay(IDX_CALENDAR, new Date());
const BASE = daysBefore(DAY, 7);
/** The last day that the feed asks for, after `DAY` and the served ones, to see corrections. Then it publishes. */
const LAST_ASKED = BASE.at(-1)!;

/** The feed removes old versions after each publication. */
const RETENTION = { KEEP_VERSIONS: '2' };

const exchange = new RecordedExchange(() => jakartaDay(new Date()));
let folder: string;
let sourcesFile: string;
let database: Kysely<FeedTables>;
let feed: ServiceProcess;

beforeAll(async () => {
  await exchange.start();
  folder = await mkdtemp(path.join(tmpdir(), 'saring-feed-'));
  const source = { name: SOURCE, format: 'idx_summary', from: { url: exchange.url } };
  sourcesFile = path.join(folder, 'sources.json');
  await writeFile(sourcesFile, JSON.stringify({ sources: [source] }));
  const log = pino({ level: 'silent' });
  database = await openPostgres<FeedTables>({ url: servers.databaseUrl, schema: 'feed', migrations, log });
});
afterAll(async () => {
  exchange.stop();
  await database?.destroy();
  await rm(folder, { recursive: true, force: true });
});

/** Waits while market-data still removes old versions for the feed of the test before. */
function importHistory(archive: Buffer): Promise<unknown> {
  return vi.waitFor(() => own.importBytes(archive, { source: 'history' }), IN_TIME);
}

/** The market ends a day before the newest one that is due. */
beforeEach(async () => {
  exchange.reset(() => jakartaDay(new Date()));
  // The next day may become due while the tests run.
  exchange.lateUntil.set(IDX_CALENDAR.nextTradingDay(DAY), '9999-12-31');
  await Promise.all([
    database.deleteFrom('fetch_log').execute(),
    database.deleteFrom('source').execute(),
    exchange.archive(BASE).then(importHistory),
  ]);
});
afterEach(async () => {
  own.clickhouse.thaw();
  // In order: a feed that is killed may leave a pruning behind, and no version can be made until that ends.
  await feed?.kill();
});

async function killAndReplaceFeed(): Promise<void> {
  await feed.kill('SIGKILL');
  // What the killed process held is free once it has been silent for long enough.
  await database
    .updateTable('source')
    .set({ leased_until: new Date(0) })
    .execute();
  feed = await startFeed(servers.databaseUrl, sourcesFile, own, RETENTION);
}

/** Starts the feed and waits until it asks for a day. Returns a function that lets the exchange answer. */
async function startFeedUntilAsked(day: string): Promise<() => void> {
  const [asked, mayAnswer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  exchange.onRequest = async (requested) => {
    if (requested !== day) return;
    exchange.onRequest = () => {};
    asked.resolve();
    await mayAnswer.promise;
  };
  feed = await startFeed(servers.databaseUrl, sourcesFile, own, RETENTION);
  await asked.promise;
  return mayAnswer.resolve;
}

/** Waits until everything that was asked for has been received, so that only the publication is left. */
function receiveAll(): Promise<void> {
  const left = () =>
    database
      .selectFrom('fetch_log')
      .select('subject')
      .where('outcome', '=', 'running')
      .where('digest', 'is', null)
      .execute();
  return expect.poll(left).toEqual([]);
}

async function lastServed(): Promise<string> {
  return (await own.datasets.getCurrentDataset({}, operator)).dataset!.last_date;
}

/** The day is served once and whole, and the log is closed. */
async function expectArrival(): Promise<void> {
  const open = async () =>
    (
      await database
        .selectFrom('fetch_log')
        .select('outcome')
        .where('subject', '=', DAY)
        .orderBy('id', 'desc')
        .execute()
    )[0];
  await expect
    .poll(open)
    .toMatchObject({ outcome: expect.stringMatching(/^(published|unchanged)$/) as string });
  await expect.poll(lastServed).toBe(DAY);
  const running = () =>
    database.selectFrom('fetch_log').select('subject').where('outcome', '=', 'running').execute();
  await expect.poll(running).toEqual([]);
  const { served } = await own.datasets.listServedDatasets({ limit: 2 }, operator);
  expect(served).toMatchObject([{ actor: 'feed' }, { reason: expect.stringContaining('history') as string }]);
  const rows = await own.select<{ date: string; rows: string }>(
    `SELECT date, count() AS rows FROM market.daily_bar WHERE dataset_version = {version:String} GROUP BY date ORDER BY date`,
    { version: served[0]!.version },
  );
  expect(rows.map(({ date, rows: count }) => [date, Number(count)])).toEqual(
    [...BASE, DAY].map((date) => [date, 30]),
  );
}

test('a feed that is killed while it fetches a day brings it once and whole after its restart', async () => {
  await startFeedUntilAsked(DAY);
  await killAndReplaceFeed();
  await expectArrival();
});

test('a feed that is killed while it uploads a day brings it once and whole after its restart', async () => {
  const answer = await startFeedUntilAsked(LAST_ASKED);
  await own.clickhouse.freeze();
  answer();
  await receiveAll();
  await feed.kill('SIGKILL');
  own.clickhouse.thaw();
  await killAndReplaceFeed();
  await expectArrival();
});

test('a feed that is killed after a publication that it has not noted brings the day once and whole', async () => {
  const answer = await startFeedUntilAsked(LAST_ASKED);
  const lock = sql`select id from feed.fetch_log where subject = ${DAY} for update`;
  await whileLocked(database, lock, async () => {
    answer();
    await expect.poll(lastServed).toBe(DAY);
    await feed.kill('SIGKILL');
  });
  await killAndReplaceFeed();
  await expectArrival();
});

/** The statement of market-data at which ClickHouse is killed: before it runs, or once it has run and nobody knows. */
interface Moment {
  statement: RegExp;
  hasRun?: boolean;
}

/** Kills ClickHouse at a statement. Resolves once it is dead. */
function killAt({ statement, hasRun = false }: Moment): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const kill = async (sql: string) => {
    if (!statement.test(sql)) return false;
    [own.statements.onQuestion, own.statements.onResponse] = [() => {}, () => true];
    await own.clickhouse.kill9();
    resolve();
    return true;
  };
  if (hasRun) own.statements.onResponse = async (sql) => !(await kill(sql));
  else own.statements.onQuestion = async (sql) => void (await kill(sql));
  return promise;
}

let oldVersions = 0;
/** A version that nobody needs any more, so that the publication of a day is followed by its removal. */
async function publishOld(): Promise<void> {
  const version = `real-20200102-${++oldVersions}`;
  const [newest] = (await own.datasets.listDatasets({}, operator)).datasets;
  for (const query of [
    `INSERT INTO market.daily_bar SELECT {version:String}, * EXCEPT dataset_version FROM market.daily_bar
     WHERE dataset_version = {newest:String}`,
    `INSERT INTO market.dataset SELECT * REPLACE ({version:String} AS version, toDateTime64('2020-01-02 12:00:00', 3) AS published_at)
     FROM (SELECT * FROM market.dataset WHERE version = {newest:String})`,
  ])
    await own.sql.command({ query, query_params: { version, newest: newest!.version } });
}

describe('a day comes once and whole when ClickHouse is killed', () => {
  test('while the day is fetched', async () => {
    const answer = await startFeedUntilAsked(DAY);
    await own.clickhouse.kill9();
    answer();
    await receiveAll();
    await expectArrivalAfterRestart();
  });

  test.each<[string, Moment]>([
    ['while the upload is staged', { statement: /^INSERT INTO market\.import_/ }],
    ['while its bars are stored', { statement: /^INSERT INTO market\.daily_bar/ }],
    ['after its version is published', { statement: /^INSERT INTO market\.dataset /, hasRun: true }],
    ['after its version is served', { statement: /^INSERT INTO market\.served /, hasRun: true }],
    ['after old versions are unpublished', { statement: /^DELETE FROM market\.dataset/, hasRun: true }],
  ])('%s', async (_, moment) => {
    await publishOld();
    const dead = killAt(moment);
    (await startFeedUntilAsked(LAST_ASKED))();
    await dead;
    await expectArrivalAfterRestart();
  });

  async function expectArrivalAfterRestart(): Promise<void> {
    const client = clientOf(FeedServiceService, feed.address);
    const nothingRuns = () =>
      database.selectFrom('fetch_log').select('subject').where('outcome', '=', 'running').execute();
    await expect.poll(nothingRuns).toEqual([]);
    await own.clickhouse.start();
    await client.runSource({ source: SOURCE }, operator);
    await expectArrival();
    client.close();
  }
});
