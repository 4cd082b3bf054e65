import { beforeEach, expect, test } from 'vitest';
import { endlessUpload, operator, outcomeOf } from '#support/services/dataset-client.ts';
import { idxFile } from '#support/markets/idx-archive.ts';
import { testMarketData } from '#support/services/test-market-data.ts';

const own = testMarketData();

let close = 100;
const importOne = async () => {
  const files = { 'bars/AAAA.csv': idxFile([{ date: '2024-03-04', close: ++close }, 'broken']) };
  return (await own.importFiles(files)).dataset!.version;
};
const prune = async (keep: number) =>
  (await own.datasets.pruneDatasets({ keep, stay: [] }, operator)).removed;
const listed = async () =>
  (await own.datasets.listDatasets({}, operator)).datasets.map(({ version }) => version);

const VERSIONED = ['daily_bar', 'rejected_row', 'broker'];
const versionsIn = async (table: string) =>
  (
    await own.select<{ version: string }>(
      `SELECT DISTINCT dataset_version AS version FROM market.${table} ORDER BY version`,
    )
  ).map(({ version }) => version);
const segments = async () =>
  (
    await own.select<{ segment: string }>('SELECT DISTINCT segment FROM market.broker_flow ORDER BY segment')
  ).map(({ segment }) => segment);

/** Inserts a version directly, with the bars of the newest one and broker rows in some segments. The last one is served. */
async function insert(version: string, publishedAt: string, names: string[], missingBars = 0) {
  const [newest] = await listed();
  const params = { version, newest, publishedAt, names, missingBars };
  for (const query of [
    `INSERT INTO market.daily_bar SELECT {version:String}, * EXCEPT dataset_version FROM market.daily_bar
     WHERE dataset_version = {newest:String}`,
    `INSERT INTO market.broker_flow (segment, ticker, date, market, broker, mode)
     SELECT arrayJoin({names:Array(String)}) AS name, 'AAAA', '2024-03-04', 'REG', 'AK', 'gross'
     WHERE name NOT IN (SELECT toString(segment) FROM market.broker_flow)`,
    `INSERT INTO market.dataset SELECT * REPLACE ({version:String} AS version,
       toDateTime64({publishedAt:String}, 3, 'UTC') AS published_at, {names:Array(String)} AS broker_segments,
       bars + {missingBars:UInt8} AS bars)
     FROM (SELECT * FROM market.dataset WHERE version = {newest:String})`,
    `INSERT INTO market.served (served_at, version) VALUES ({publishedAt:String}, {version:String})`,
  ]) {
    await own.sql.command({ query, query_params: params });
  }
}

beforeEach(async () => {
  await importOne();
  await prune(1);
});

test('pruning keeps the newest versions and, of all others, only broker rows shared with them', async () => {
  await insert('real-20200101-1', '2020-01-01 00:00:00', ['2019-12.a', '2020-01.a']);
  await insert('real-20200102-1', '2020-01-02 00:00:00', ['2019-12.a', '2020-01.b']);
  await insert('real-20200103-1', '2020-01-03 00:00:00', ['2019-12.a', '2020-01.c']);
  const [newest] = await listed();
  expect(await prune(2)).toEqual(['real-20200102-1', 'real-20200101-1']);
  expect(await listed()).toEqual([newest, 'real-20200103-1']);
  for (const table of VERSIONED) {
    expect([newest, 'real-20200103-1']).toEqual(expect.arrayContaining(await versionsIn(table)));
  }
  expect(await versionsIn('daily_bar')).toEqual([newest, 'real-20200103-1'].toSorted());
  expect(await segments()).toEqual(['2019-12.a', '2020-01.c']);
  expect(await prune(1)).toEqual(['real-20200103-1']);
  expect(await segments()).toEqual([]);
  expect(await prune(1)).toEqual([]);
  expect(await own.answering()).toBe(newest);
});

test('pruning keeps the version in use and the chosen one, even when they are not the newest', async () => {
  const [inUse] = await listed();
  // A version that lacks a bar is not loaded, and the previous one continues to be served.
  await insert('real-20990101-1', '2099-01-01 00:00:00', [], 1);
  expect((await listed())[0]).toBe('real-20990101-1');
  const removed = await prune(1);
  expect([removed, await own.answering()]).toEqual([[], inUse]);
  for (const table of ['dataset', 'served'])
    await own.sql.command({ query: `DELETE FROM market.${table} WHERE version = 'real-20990101-1'` });
  const older = inUse!;
  await importOne();
  await own.datasets.useDataset({ version: older, reason: '' }, operator);
  await importOne();
  await own.datasets.useDataset({ version: older, reason: '' }, operator);
  expect(await prune(1)).not.toContain(older);
  expect(await listed()).toContain(older);
});

test('a version number is never reused after pruning', async () => {
  const first = await importOne();
  const second = await importOne();
  expect(await prune(1)).toContain(first);
  await insert('synthetic-20200101-1', '2020-01-01 00:00:00', []);
  await own.sql.command({
    query: `DELETE FROM market.dataset WHERE version = {second:String}`,
    query_params: { second },
  });
  await own.sql.command({
    query: `INSERT INTO market.pruned_version (version) VALUES ({second:String})`,
    query_params: { second },
  });
  const third = await importOne();
  const numbers = [first, second, third].map((version) => Number(version.split('-').at(-1)));
  expect(numbers).toEqual([numbers[0], numbers[0]! + 1, numbers[0]! + 2]);
});

test('pruning is refused during an import', async () => {
  const gone = new AbortController();
  const running = outcomeOf(
    own.datasets.importDataset(endlessUpload('endless.csv', gone.signal), {
      ...operator,
      signal: gone.signal,
    }),
  );
  running.catch(() => {});
  const staging = () =>
    own.select(`SELECT 1 FROM system.tables WHERE database = 'market' AND name LIKE 'import_%'`);
  await expect.poll(staging).not.toEqual([]);
  await expect(prune(1)).rejects.toMatchObject({
    code: 'import_rejected',
    message: expect.stringContaining('an import of endless.csv is running') as string,
  });
  gone.abort();
  await expect.poll(() => prune(1)).toEqual([]);
});
