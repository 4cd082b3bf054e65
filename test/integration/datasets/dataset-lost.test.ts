import { beforeAll, beforeEach, expect, test } from 'vitest';
import { anybody, operator } from '#support/services/dataset-client.ts';
import { idxFile } from '#support/markets/idx-archive.ts';
import { testMarketData } from '#support/services/test-market-data.ts';

/** Each test starts the service once or twice more. */
const own = testMarketData();

const orMessage = () => own.answering().catch((error: Error) => error.message);
const current = () => own.datasets.getCurrentDataset({}, anybody);
const lose = (table: string, which: string, version: string) =>
  own.sql.command({
    query: `DELETE FROM market.${table} WHERE ${which} = {version:String}`,
    query_params: { version },
  });

let close = 100;
async function importAnother(): Promise<string> {
  const days = [{ date: '2024-03-04', close: (close += 1) }];
  return (await own.importFiles({ 'bars/AAAA.csv': idxFile(days) })).dataset!.version;
}

let [older, newest]: [string, string] = ['', ''];
beforeAll(async () => {
  older = await importAnother();
});
beforeEach(async () => {
  newest = await importAnother();
});

async function restartAfter(loss: () => Promise<unknown>): Promise<void> {
  await own.stopService();
  await loss();
  await own.startService();
}

test('a version that ClickHouse lost completely is named, and no older one is served', async () => {
  await restartAfter(async () => {
    for (const table of ['dataset', 'served']) await lose(table, 'version', newest);
    await lose('daily_bar', 'dataset_version', newest);
  });
  await expect.poll(orMessage).toMatch(`The dataset ${newest} is missing from the store`);
  expect(await orMessage()).toMatch('saring dataset use');
  expect(await current()).toMatchObject({ dataset: undefined, data_loaded: false, lost_version: newest });
  expect((await own.datasets.listDatasets({}, operator)).served_version).toBe(newest);

  await own.datasets.useDataset({ version: older, reason: '' }, operator);
  expect(await own.answering()).toBe(older);
  expect(await current()).toMatchObject({ dataset: { version: older }, lost_version: '' });
  await restartAfter(async () => {});
  await expect.poll(orMessage).toBe(older);
  expect(await importAnother()).not.toBe(newest);
});

test('rows of a lost version are kept, so that it is served again once its record is restored', async () => {
  await own.sql.command({ query: `CREATE TABLE market.copy AS market.dataset ENGINE = Memory` });
  await restartAfter(async () => {
    await own.sql.command({ query: 'INSERT INTO market.copy SELECT * FROM market.dataset' });
    await lose('dataset', 'version', newest);
  });
  await expect.poll(orMessage).toMatch(`The dataset ${newest} is missing from the store`);
  await expect(own.datasets.pruneDatasets({ keep: 1, stay: [] }, operator)).rejects.toMatchObject({
    code: 'import_rejected',
    message: expect.stringContaining(newest) as string,
  });
  const { served } = await own.datasets.listServedDatasets({ limit: 1 }, operator);
  expect(served).toMatchObject([{ version: newest, is_published: false }]);
  await own.sql.command({
    query: `INSERT INTO market.dataset SELECT * FROM market.copy WHERE version = '${newest}'`,
  });
  await own.sql.command({ query: 'DROP TABLE market.copy' });
  await expect.poll(orMessage).toBe(newest);
});

test.each([
  ['daily_bar', 'dataset_version'],
  ['broker_flow', 'segment'],
])('a version that lacks rows of %s is named and not served', async (table, column) => {
  const brokers =
    'ticker,date,market,broker,buy_shares,buy_value,sell_shares,sell_value\nAAAA,2024-03-04,REG,YP,100,10000,100,10000\n';
  const bytes = {
    'bars/AAAA.csv': idxFile([{ date: '2024-03-04', close: 100, volume: 200 }]),
    'b.csv': brokers,
  };
  const version = (await own.importFiles(bytes)).dataset!.version;
  expect(await own.answering()).toBe(version);
  await restartAfter(() =>
    own.sql.command({
      query: `ALTER TABLE market.${table} DELETE WHERE endsWith(${column}, '${version}') SETTINGS mutations_sync = 1`,
    }),
  );
  await expect.poll(orMessage).toMatch(`The dataset ${version} is missing from the store, wholly or in part`);
  expect(await current()).toMatchObject({ data_loaded: false, lost_version: version });
  await own.datasets.useDataset({ version: older, reason: '' }, operator);
  await expect.poll(orMessage).toBe(older);
});
