import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { anybody, operator } from '#support/services/dataset-client.ts';
import { idxFile } from '#support/markets/idx-archive.ts';
import { testMarketData } from '#support/services/test-market-data.ts';

const own = testMarketData();
const ani = { ...operator, actor: 'ani' };
const budi = { ...operator, actor: 'bu\u2066di\x1b' };

let [first, second]: [string, string] = ['', ''];
beforeAll(async () => {
  const importOne = async (close: number) =>
    (await own.importFiles({ 'bars/AAAA.csv': idxFile([{ date: '2024-03-04', close }]) })).dataset!.version;
  [first, second] = [await importOne(100), await importOne(200)];
});

const close = async () => (await own.market.getQuotes({ tickers: ['AAAA'] }, anybody)).quotes['AAAA']!.close;
const use = (version: string, call = ani, reason = '') => own.datasets.useDataset({ version, reason }, call);
const history = async (limit = 100) =>
  (await own.datasets.listServedDatasets({ limit }, operator)).served.map(
    ({ version, action, actor, reason, is_published }) => [version, action, actor, reason, is_published],
  );

test('choosing an older version serves it at once, and so does choosing a newer one', async () => {
  expect(await use(first)).toMatchObject({
    dataset: { version: first },
    version_before: second,
    data_loaded: true,
  });
  expect([await own.answering(), await close()]).toEqual([first, 100]);
  expect(await own.datasets.listDatasets({}, operator)).toMatchObject({
    datasets: [{ version: second }, { version: first }],
    served_version: first,
  });
  await use(second, budi, 'checked');
  expect([await own.answering(), await close()]).toEqual([second, 200]);
});

test('the history records version, time, actor and reason, newest first; choosing the served version adds nothing', async () => {
  await use(second);
  expect((await history()).slice(0, 3)).toEqual([
    [second, 'use', 'budi', 'checked', true],
    [first, 'use', 'ani', '', true],
    [second, 'import', '', 'test.tar.gz', true],
  ]);
  const { served } = await own.datasets.listServedDatasets({ limit: 100 }, operator);
  const times = served.map(({ served_at }) => served_at!.getTime());
  expect(times).toEqual([...new Set(times)].toSorted((a, b) => b - a));
});

test('the choice survives a restart, and added days extend the served version', async () => {
  await use(first);
  await own.stopService('SIGKILL');
  await own.startService();
  await expect.poll(() => own.answering().catch(() => '')).toBe(first);
  const { dataset } = await own.importBytes(
    Buffer.from(idxFile([{ date: '2024-03-05', close: 101, previous: 100 }])),
    { source: 'AAAA.csv', header: { adds: true } },
  );
  expect(dataset).toMatchObject({ bars: 2, source: `AAAA.csv, added to ${first}` });
  expect(await own.answering()).toBe(dataset!.version);
});

test('importing the files of another version at the start does not undo the choice', async () => {
  const bytes = Buffer.from(idxFile([{ date: '2024-03-04', close: 300 }]));
  const source = { source: 'AAAA.csv' };
  const { dataset } = await own.importBytes(bytes, source);
  await use(first);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const again = await own.importBytes(bytes, { ...source, header: { sha256 } });
  expect(again).toMatchObject({ dataset: { version: first }, unchanged: true });
  const wanted = await own.importBytes(bytes, source);
  expect(wanted.unchanged).toBe(false);
  expect(await own.answering()).not.toBe(dataset!.version);
});

test('an unpublished version cannot be chosen, nor any for a reason that is too long or no plain text', async () => {
  const before = await history();
  await expect(use('real-19990101-1')).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('real-19990101-1') as string,
  });
  const wordy = use(first, ani, 'x'.repeat(201));
  const reversed = use(first, ani, 'undo\u202e');
  for (const refused of [wordy, reversed])
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request', detail: [{ loc: ['reason'] }] });
  expect(await history()).toEqual(before);
});
