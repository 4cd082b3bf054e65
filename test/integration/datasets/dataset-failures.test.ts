import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ImportDatasetRequest, ImportDatasetResponse } from '#proto/saring/market_data/v1/datasets.ts';
import { HANGS_AFTER_MS } from '#support/hangs.ts';
import { endlessUpload, operator, outcomeOf, uploadOf } from '#support/services/dataset-client.ts';
import { IDX_HEADER, idxFile, tarGzOf, tarOf } from '#support/markets/idx-archive.ts';
import { testMarketData } from '#support/services/test-market-data.ts';

const own = testMarketData();

// Start with a published dataset: a failure must preserve it, not only an empty store.
beforeAll(() => own.importFiles({ 'bars/AAAA.csv': idxFile([{ date: '2024-03-01', close: 99 }]) }));

/** The failure of an import. Also checks that the import left nothing behind. */
async function refusal(run: () => Promise<unknown>): Promise<{ code: string; message: string }> {
  const before = await own.state();
  const failure = await run().then(
    () => undefined,
    (error: unknown) => error as { code: string; message: string },
  );
  expect(await own.state()).toEqual(before);
  if (!failure) throw new Error('the import succeeded');
  return failure;
}

describe('a failed import publishes nothing and leaves nothing behind', () => {
  const day = { date: '2024-03-04', close: 100 };
  const noise = () => randomBytes(300_000).toString('hex');
  const rejected = (message: RegExp) => ({
    code: 'import_rejected',
    message: expect.stringMatching(message) as string,
  });

  test('corrupt gzip', async () => {
    const bytes = await tarGzOf({ 'bars/AAAA.csv': idxFile([day]), 'noise.txt': noise() });
    bytes.fill(0x55, 100_000, 100_100);
    expect(await refusal(() => own.importBytes(bytes))).toMatchObject(rejected(/^The gzip data is damaged/));
  });

  test('truncated gzip and tar', async () => {
    const files = { 'bars/AAAA.csv': idxFile([day]), 'noise.txt': noise() };
    for (const [whole, format] of [
      [await tarGzOf(files), 'gzip'],
      [await tarOf(files), 'tar'],
    ] as const) {
      const cut = whole.subarray(0, whole.length / 2);
      const message = new RegExp(`^The ${format} data is damaged or ends too early`);
      expect(await refusal(() => own.importBytes(cut))).toMatchObject(rejected(message));
    }
  });

  test('an upload without its hash or with a wrong one', async () => {
    const bytes = await tarGzOf({ 'bars/AAAA.csv': idxFile([day]) });
    const cut = () => own.importBytes(bytes, { sha256: null });
    expect(await refusal(cut)).toMatchObject(rejected(/cut short: it ended without its SHA-256/));
    const changed = () => own.importBytes(bytes, { sha256: '0'.repeat(64) });
    expect(await refusal(changed)).toMatchObject(rejected(/damaged on its way/));
  });

  test('a wrong header is reported with file and columns, even with megabytes still to come', async () => {
    const wrong = IDX_HEADER.replace('volume', 'lots');
    const bytes = await tarOf({
      'bars/AAAA.csv': idxFile([day]),
      'bars/BBBB.csv': `${wrong}\n`,
      'noise.txt': randomBytes(8_000_000).toString('hex'),
    });
    expect(await refusal(() => own.importBytes(bytes))).toMatchObject(
      rejected(
        /^bars\/BBBB\.csv:1: not the columns of the IDX daily format: missing volume; unknown 'lots'\.$/,
      ),
    );
  });

  test.each<[string, () => Promise<Buffer>, RegExp]>([
    ['nothing at all', async () => Buffer.alloc(0), /empty/],
    ['random bytes', async () => randomBytes(5_000), /neither CSV nor JSON text, nor a tar archive/],
    [
      'an archive without bars',
      () => tarGzOf({ 'README.md': 'hello', 'my notes.csv': 'a,b' }),
      /has no bars .*\. 2 files are skipped; README\.md, for example, because its name does not end in \.csv/,
    ],
    [
      'a table of something else',
      () => tarGzOf({ 'my day.csv': 'ticker,foo\nAAAA,1\n' }),
      /1 file is skipped; my day\.csv, for example, because no known file begins with 'ticker,foo'\.$/,
    ],
    ['files of headers only', () => tarGzOf({ 'bars/AAAA.csv': `${IDX_HEADER}\n` }), /has no bars/],
    [
      'bars under a name that is no ticker',
      () => tarGzOf({ 'bars/a b.csv': idxFile([day]) }),
      /called after its ticker/,
    ],
    [
      'rows that are all bad',
      () => tarGzOf({ 'bars/AAAA.csv': idxFile(['x', 'y']) }),
      /^None of the 2 rows can be used; the first is refused at bars\/AAAA\.csv:2: wrong number of columns\.$/,
    ],
    [
      'a file without lines',
      () => tarGzOf({ 'bars/AAAA.csv': `${IDX_HEADER}\n${'1'.repeat(100_000)}` }),
      /AAAA\.csv:2: a line is longer/,
    ],
  ])('%s', async (_, bytes, message) => {
    const upload = await bytes();
    expect(await refusal(() => own.importBytes(upload))).toMatchObject(rejected(message));
  });

  const junk = (lines: number) => 'junk, and\x1bno row\n'.repeat(lines);
  test.each<[string, string, string, RegExp]>([
    [
      'bars',
      'JUNK.csv',
      `${IDX_HEADER}\n${junk(1_000_000)}`,
      /^JUNK\.csv is not market data: none of its first [\d,]+ lines can be read\. Line 2, for example, is refused \(wrong number of columns\): 'junk, and/,
    ],
    [
      'broker rows',
      'rows.csv',
      `ticker,date,market,broker,buy_volume,buy_value,sell_volume,sell_value\n${junk(1_000_000)}`,
      /^rows\.csv is not market data: none of its first [\d,]+ lines can be read\. Line 2, for example,/,
    ],
    ['nothing', 'some-1.csv', junk(1_000_000), /^some-1\.csv.*: /],
    ['text', 'junk.txt', junk(1_000_000), /^junk\.txt is not market data: its name does not end in \.csv/],
    [
      'objects',
      'junk.json',
      junk(1_000_000),
      /^junk\.json is not market data: its first object has no row of a broker/,
    ],
  ])(
    'a million junk lines called %s: the file is named without reading on',
    async (_, source, text, message) => {
      const begun = performance.now();
      const failure = await refusal(() => own.importBytes(Buffer.from(text), { source }));
      expect(failure).toMatchObject(rejected(message));
      expect(performance.now() - begun).toBeLessThan(HANGS_AFTER_MS);
    },
  );

  test('a second import is refused while one runs, until the sender of the first disconnects', async () => {
    const before = await own.state();
    const gone = new AbortController();
    const endless = endlessUpload('endless.csv', gone.signal, Buffer.from(idxFile([day])));
    const first = outcomeOf(own.datasets.importDataset(endless, { ...operator, signal: gone.signal }));
    first.catch(() => {});
    const staging = () =>
      own.select(`SELECT 1 FROM system.tables WHERE database = 'market' AND name LIKE 'import_%'`);
    await expect.poll(staging).not.toEqual([]);

    const bytes = await tarGzOf({ 'bars/AAAA.csv': idxFile([{ ...day, close: 321 }]) });
    await expect(own.importBytes(bytes)).rejects.toMatchObject(
      rejected(/one at a time, and an import of endless\.csv is running/),
    );
    gone.abort();
    await expect(first).rejects.toBeDefined();
    await expect.poll(() => own.state()).toEqual(before);
    expect((await own.importBytes(bytes)).dataset!.bars).toBe(1);
  });
});

test('a large file with few valid rows is imported; all rejected rows are counted, the first are stored', async () => {
  const [days, junk] = [2, 100_500];
  const good = Array.from({ length: days }, (_, i) => ({ date: `2024-03-0${4 + i}`, close: 100 }));
  const text = `${idxFile(good)}${'x,y\n'.repeat(junk)}`;
  const { dataset, rejections } = await own.importBytes(Buffer.from(text), { source: 'AAAA.csv' });
  expect(dataset).toMatchObject({ bars: days, rejected_rows: junk });
  expect(rejections).toEqual([{ reason: 'wrong number of columns', rows: junk, first_at: 'AAAA.csv:4' }]);
  const [stored] = await own.select<{ rows: number; last: number }>(
    `SELECT toUInt32(count()) AS rows, max(line) AS last FROM market.rejected_row
     WHERE dataset_version = {version:String}`,
    { version: dataset!.version },
  );
  expect(stored).toEqual({ rows: 100_000, last: 100_003 });
});

test('a slow import reports progress until its end', async () => {
  const SEVERAL = 3;
  const files = { 'bars/AAAA.csv': idxFile([{ date: '2024-03-04', close: 77 }]) };
  const bytes = await tarOf(files);
  let reports = 0;
  const { promise: reported, resolve } = Promise.withResolvers<void>();
  async function* slow(): AsyncGenerator<ImportDatasetRequest> {
    for await (const message of uploadOf(bytes)) {
      if (message.part?.$case === 'end_sha256') await reported;
      yield message;
    }
  }
  async function* counted(): AsyncGenerator<ImportDatasetResponse> {
    for await (const message of own.datasets.importDataset(slow(), operator)) {
      const { event } = message;
      if (event?.$case === 'progress' && ++reports >= SEVERAL && event.value.rows_read === 1) resolve();
      yield message;
    }
  }
  const { progress } = await outcomeOf(counted());
  expect(progress.length).toBeGreaterThanOrEqual(SEVERAL);
  expect(progress.at(-1)).toMatchObject({ rows_read: 1 });
});
