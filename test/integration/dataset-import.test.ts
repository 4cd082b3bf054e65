import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ImportDatasetRequest } from '#proto/saring/market_data/v1/datasets.ts';
import { connectClickHouse, type ClickHouseClient } from '#shared/clickhouse.ts';
import {
  anybody,
  datasetClient,
  marketDataClient,
  operator,
  outcomeOf,
  uploadOf,
  type UploadOptions,
} from '#support/dataset-client.ts';
import { REPOSITORY } from '#support/fleet.ts';
import {
  IDX_HEADER,
  LISTING_HEADER,
  idxFile,
  idxLine,
  tarGzOf,
  tarOf,
  weekdays,
  type IdxDay,
} from '#support/idx-archive.ts';
import { PrivateServer } from '#support/private-server.ts';
import { startService, type ServiceProcess } from '#support/service-process.ts';

/** What comes by itself comes within a second; a machine that is busy with other tests takes longer. */
const PATIENTLY = { timeout: 15_000 };
const REAL_ARCHIVE = path.join(REPOSITORY, '../shared/data/idx-daily.tar.gz');

let clickhouse: PrivateServer;
let natsServer: PrivateServer;
let service: ServiceProcess;
let datasets: ReturnType<typeof datasetClient>;
let market: ReturnType<typeof marketDataClient>;
let sql: ClickHouseClient;
let nats: NatsConnection;

beforeAll(async () => {
  [clickhouse, natsServer] = await Promise.all([PrivateServer.clickhouse(), PrivateServer.nats()]);
  sql = connectClickHouse(clickhouse.url);
  const { host, username, password } = new URL(natsServer.url);
  nats = await connect({ servers: host, user: username, pass: password });
  await start();
});
afterAll(async () => {
  await stop();
  await Promise.all([sql.close(), nats.close()]);
  await Promise.all([clickhouse.remove(), natsServer.remove()]);
});

async function start(): Promise<void> {
  service = await startService('market-data', { CLICKHOUSE_URL: clickhouse.url, NATS_URL: natsServer.url });
  datasets = datasetClient(service.address);
  market = marketDataClient(service.address);
}

async function stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  datasets.close();
  market.close();
  const code = await service.kill(signal);
  if (signal === 'SIGTERM') expect(code).toBe(0);
}

async function select<Row>(query: string, params: Record<string, unknown> = {}): Promise<Row[]> {
  return (await sql.query({ query, query_params: params, format: 'JSONEachRow' })).json<Row>();
}

const importBytes = async (bytes: Buffer, options: UploadOptions = {}) =>
  (await outcomeOf(datasets.importDataset(uploadOf(bytes, options), operator))).outcome;

const importFiles = async (files: Record<string, string>) => importBytes(await tarGzOf(files));

/** Imports days of one ticker and gives the bars that were published of them. */
async function published(days: (IdxDay | string)[], otherFiles: Record<string, string> = {}) {
  const { dataset, rejections } = await importFiles({ 'bars/AAAA.csv': idxFile(days), ...otherFiles });
  const bars = await select<Record<string, number> & { date: string }>(
    `SELECT * FROM market.daily_bar WHERE dataset_version = {version:String} AND ticker = 'AAAA' ORDER BY date`,
    { version: dataset!.version },
  );
  return { version: dataset!.version, dataset: dataset!, rejections, bars };
}

/** What every failed import must leave as it was. */
async function state() {
  const [tables, partitions, newest] = await Promise.all([
    select<{ name: string }>(`SELECT name FROM system.tables WHERE database = 'market' ORDER BY name`),
    select<{ name: string }>(
      `SELECT DISTINCT partition AS name FROM system.parts
       WHERE active AND database = 'market' AND partition != 'tuple()' ORDER BY name`,
    ),
    datasets.listDatasets({}, operator),
  ]);
  return { tables, partitions, newest: newest.datasets };
}

/** The failure of an import, after having made sure that it left nothing behind. */
async function refusal(run: () => Promise<unknown>): Promise<{ code: string; message: string }> {
  const before = await state();
  const failure = await run().then(
    () => undefined,
    (error: unknown) => error as { code: string; message: string },
  );
  expect(await state()).toEqual(before);
  if (!failure) throw new Error('the import succeeded');
  return failure;
}

describe('before anything is published', () => {
  test('there is no dataset, and reads are data_unavailable', async () => {
    expect(await datasets.getCurrentDataset({}, anybody)).toEqual({ dataset: undefined, data_loaded: false });
    for (const read of [
      market.getQuotes({ tickers: ['BBCA'] }, anybody),
      market.getSnapshot({ ticker: 'BBCA', days: 20 }, anybody),
    ]) {
      await expect(read).rejects.toMatchObject({ code: 'data_unavailable' });
    }
    await expect(datasets.listRejectedRows({ version: '', limit: 10 }, operator)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('only the operator imports, makes samples and lists', async () => {
    const denied = { code: 'operator_token_required' };
    await expect(outcomeOf(datasets.importDataset(uploadOf(Buffer.alloc(1)), anybody))).rejects.toMatchObject(
      denied,
    );
    await expect(
      outcomeOf(datasets.generateSample({ seed: 1, tickers: undefined, days: undefined }, anybody)),
    ).rejects.toMatchObject(denied);
    await expect(datasets.listDatasets({}, anybody)).rejects.toMatchObject(denied);
    await expect(datasets.listRejectedRows({ version: '', limit: 1 }, anybody)).rejects.toMatchObject(denied);
  });
});

describe('a good archive', () => {
  const [first, second, third] = weekdays('2024-03-04', 3) as [string, string, string];

  test('is published whole, announced, described and answered from at once', async () => {
    const heard: string[] = [];
    nats.subscribe('changed.dataset', { callback: (_, message) => void heard.push(message.string()) });
    await nats.flush();
    const outcome = await importFiles({
      'idx/bars/AAAA.csv': idxFile([
        { date: first, close: 100 },
        { date: second, close: 110, previous: 100, foreign_buy: 300, foreign_sell: 100 },
      ]),
      'idx/bars/BBBB.csv': idxFile([{ date: second, close: 50 }]),
      'idx/listing/all.csv': `${LISTING_HEADER}\nAAAA,"Alpha, Tbk.",1999-01-04T00:00:00,1.0,Utama\n`,
      'idx/listing/Sectors/Properties & Real Estate.csv': `${LISTING_HEADER}\nAAAA,Alpha,1999-01-04,1.0,Utama\n`,
      'idx/README.md': 'not data',
      'idx/bars/._AAAA.csv': 'attributes',
    });
    expect(outcome.rejections).toEqual([]);
    const { dataset } = outcome;
    expect(dataset).toMatchObject({
      version: 'real-20240305-1',
      kind: 'real',
      source: 'test.tar.gz',
      first_date: first,
      last_date: second,
      trading_days: 2,
      tickers: 2,
      bars: 3,
      rejected_rows: 0,
    });
    expect(await datasets.getCurrentDataset({}, anybody)).toEqual({ dataset, data_loaded: true });
    expect((await datasets.listDatasets({}, operator)).datasets).toEqual([dataset]);
    await expect.poll(() => heard, PATIENTLY).toEqual(['real-20240305-1']);

    const quotes = await market.getQuotes({ tickers: ['aaaa', 'AAAA', ' bbbb', 'ZZZZ'] }, anybody);
    expect(quotes).toEqual({
      quotes: {
        AAAA: { close: 110, change_pct: 10, date: second },
        BBBB: { close: 50, change_pct: 0, date: second },
      },
      dataset_version: 'real-20240305-1',
    });
    const snapshot = await market.getSnapshot({ ticker: 'aaaa', days: 1 }, anybody);
    expect(snapshot).toMatchObject({
      ticker: 'AAAA',
      name: 'Alpha, Tbk.',
      sector: 'Properties & Real Estate',
      board: 'Utama',
      date: second,
      is_partial: false,
      days: 1,
      ohlcv: [{ date: second, close: 110, change_pct: 10, volume: 1_000, value: 110_000 }],
      features: { foreign_net_value_1d: 200 * 110 },
    });
    expect(snapshot.features!.ma200).toBeUndefined();
    expect((await market.getSnapshot({ ticker: 'BBBB', days: 5 }, anybody)).name).toBeUndefined();
  });

  test('imported again is the same version at once; as another kind it is a version of its own', async () => {
    const files = { 'bars/AAAA.csv': idxFile([{ date: third, close: 7 }]) };
    const bytes = await tarGzOf(files);
    const { dataset } = await importBytes(bytes);
    const before = await state();
    expect((await importBytes(bytes, { source: 'other-name.tar.gz' })).dataset).toEqual(dataset);
    expect(await state()).toEqual(before);
    expect((await importBytes(bytes, { kind: 'synthetic' })).dataset).toMatchObject({
      version: 'synthetic-20240306-1',
      kind: 'synthetic',
      fingerprint: dataset!.fingerprint,
    });
    expect((await importBytes(bytes)).dataset!.version).toBe('real-20240306-2');
  });

  test.each(['tar', 'tar.gz', 'csv', 'csv.gz'])('may come as %s, with either line end', async (form) => {
    const csv = idxFile([
      { date: first, close: 100 },
      { date: second, close: form.length },
    ]).replaceAll('\n', '\r\n');
    const plain = form.startsWith('tar') ? await tarOf({ 'AAAA.csv': csv }) : Buffer.from(csv);
    const bytes = form.endsWith('.gz') ? gzipSync(plain) : plain;
    const { dataset } = await importBytes(bytes, { source: form.startsWith('tar') ? form : `AAAA.${form}` });
    expect(dataset).toMatchObject({ tickers: 1, bars: 2, rejected_rows: 0 });
  });

  test('may have dates in both forms, and empty fields for zero', async () => {
    const { bars } = await published([
      { date: first, close: 100 },
      { date: `${second}T00:00:00`, close: 101, previous: 100, foreign_buy: '', non_regular_value: '' },
    ]);
    expect(bars.map(({ date }) => date)).toEqual([first, second]);
  });

  test('keeps a suspended day with its carried close and its nego trades', async () => {
    const { bars } = await published([
      { date: first, close: 100 },
      {
        date: second,
        close: 100,
        volume: 0,
        high: 0,
        low: 0,
        non_regular_volume: 500,
        non_regular_value: 45_000,
      },
    ]);
    const carried = { open: 100, high: 100, low: 100, close: 100, volume: 0, value: 0 };
    expect(bars[1]).toMatchObject({ date: second, ...carried, nego_volume: 500, nego_value: 45_000 });
    expect((await market.getQuotes({ tickers: ['AAAA'] }, anybody)).quotes).toEqual({});
  });

  test('gets a missing open from the reference price, within the range of the day', async () => {
    const day = { high: 110, low: 90, close: 100 };
    const { bars } = await published([
      { date: '2024-03-04', ...day, previous: 95 },
      { date: '2024-03-05', ...day, previous: 120 },
      { date: '2024-03-06', ...day, previous: 80 },
      { date: '2024-03-07', ...day, previous: 80, open_price: 105 },
    ]);
    expect(bars.map(({ open }) => open)).toEqual([95, 110, 90, 105]);
  });
});

describe('corporate actions', () => {
  const days = weekdays('2024-01-08', 6);

  test('a split adjusts prices and volumes seen from later days, and leaves values alone', async () => {
    const { bars } = await published([
      { date: days[0]!, close: 36_600, listed_shares: 1_000_000 },
      { date: days[1]!, close: 7_500, previous: 7_325, listed_shares: 5_000_000 },
      { date: days[2]!, close: 7_500, previous: 7_500, listed_shares: 5_000_000 },
    ]);
    expect(bars.map(({ factor }) => factor)).toEqual([1, 7_325 / 36_600, 1]);
    expect(bars.map(({ share_factor }) => share_factor)).toEqual([1, 0.2, 1]);
    const { ohlcv } = await market.getSnapshot({ ticker: 'AAAA', days: 3 }, anybody);
    expect(ohlcv[0]).toMatchObject({ close: 7_325, volume: 5_000, value: 36_600_000 });
    expect(ohlcv[1]).toMatchObject({ close: 7_500, volume: 1_000, value: 7_500_000, change_pct: 2.3891 });
  });

  test('a reverse split works the other way', async () => {
    const { bars } = await published([
      { date: days[0]!, close: 51, listed_shares: 2_500_000 },
      { date: days[1]!, close: 127, previous: 127, listed_shares: 1_000_000 },
    ]);
    expect(bars[1]).toMatchObject({ factor: 127 / 51, share_factor: 2.5 });
  });

  test('a rights issue adjusts prices only, even when the listed shares grow with it', async () => {
    const { bars } = await published([
      { date: days[0]!, close: 1_000, listed_shares: 1_000_000 },
      { date: days[1]!, close: 800, previous: 800, listed_shares: 2_000_000 },
    ]);
    expect(bars[1]).toMatchObject({ factor: 0.8, share_factor: 1 });
  });

  test('what moved while days are missing is no corporate action, unless the shares confirm a split', async () => {
    const other = idxFile(days.map((date) => ({ date, close: 10 })));
    const { bars } = await published(
      [
        { date: days[0]!, close: 400 },
        { date: days[2]!, close: 460, previous: 466 },
        { date: days[4]!, close: 230, previous: 230, listed_shares: 2_000_000 },
      ],
      { 'bars/OTHR.csv': other },
    );
    expect(bars.map(({ factor }) => factor)).toEqual([1, 1, 0.5]);
    expect(bars.map(({ share_factor }) => share_factor)).toEqual([1, 1, 0.5]);
  });

  test('a reference price out of all proportion is not believed', async () => {
    const { bars } = await published([
      { date: days[0]!, close: 100 },
      { date: days[1]!, close: 100, previous: 1 },
    ]);
    expect(bars[1]).toMatchObject({ factor: 1, previous: 1 });
  });
});

describe('days that were no trading days', () => {
  test('a weekend is refused, and its price leaves no trace in the factors', async () => {
    const { bars, rejections, version } = await published([
      { date: '2021-05-21', close: 9_400 },
      { date: '2021-05-22', close: 10_000, previous: 9_400 },
      { date: '2021-05-24', close: 8_800, previous: 10_000 },
      { date: '2021-05-25', close: 8_800, previous: 8_800 },
      { date: '2021-05-30', close: 9_900, previous: 8_800 },
      { date: '2021-05-31', close: 8_900, previous: 8_800 },
    ]);
    expect(bars.map(({ date }) => date)).not.toContain('2021-05-22');
    expect(bars.map(({ factor }) => factor)).toEqual([1, 1, 1, 1]);
    expect(rejections).toEqual([
      { reason: 'not a trading day: a weekend', rows: 2, first_at: 'bars/AAAA.csv:3' },
    ]);
    expect((await datasets.listDatasets({}, operator)).datasets[0]).toMatchObject({
      version,
      rejected_rows: 2,
    });
  });

  test('a weekday on which almost nothing trades is refused, a thin last day is kept and called partial', async () => {
    const days = weekdays('2024-02-01', 30);
    const [quiet, last] = [days[15]!, days[29]!];
    const files: Record<string, string> = {};
    for (let i = 0; i < 30; i++) {
      const isIdle = (date: string) => (date === quiet || date === last) && i >= 5;
      const rows = days.map((date) => ({ date, close: 100, volume: isIdle(date) ? 0 : 1_000 }));
      files[`bars/T${String(i).padStart(3, '0')}.csv`] = idxFile(rows);
    }
    const { dataset, rejections } = await importFiles(files);
    expect(rejections).toMatchObject([{ reason: 'not a trading day: almost nothing traded', rows: 30 }]);
    expect(dataset).toMatchObject({ trading_days: 29, last_date: last });
    const snapshot = await market.getSnapshot({ ticker: 'T000', days: 20 }, anybody);
    expect(snapshot).toMatchObject({ is_partial: true, date: last });
  });
});

describe('bad rows', () => {
  const good = { date: '2024-03-04', close: 100 };
  const ordinary = { date: '2024-03-05', close: 100 };
  const cases: [reason: string, line: string][] = [
    ['wrong number of columns', `${idxLine(ordinary)},1`],
    ['wrong number of columns', '2024-03-05,100'],
    ['malformed date', idxLine({ ...ordinary, date: '05/03/2024' })],
    ['malformed date', idxLine({ ...ordinary, date: '2024-02-30' })],
    ['malformed date', idxLine({ ...ordinary, date: '2024-03-05T09:00:00' })],
    ['date before 1977 or in the future', idxLine({ ...ordinary, date: '2100-03-05' })],
    ['date before 1977 or in the future', idxLine({ ...ordinary, date: '1971-03-05' })],
    ['not a trading day: a weekend', idxLine({ ...ordinary, date: '2024-03-09' })],
    ['missing close', idxLine({ ...ordinary, close: '' })],
    ['missing close', idxLine({ ...ordinary, close: 0 })],
    ['malformed number', idxLine({ ...ordinary, volume: 'many' })],
    ['malformed number', idxLine({ ...ordinary, high: 'nan' })],
    ['negative number', idxLine({ ...ordinary, foreign_sell: -1 })],
    ['negative number', idxLine({ ...ordinary, volume: -1_000 })],
    ['absurd number', idxLine({ ...ordinary, listed_shares: 'inf' })],
    ['absurd number', idxLine({ ...ordinary, close: 1e9 })],
    ['foreign volume above volume', idxLine({ ...ordinary, foreign_buy: 1_001 })],
    ['value without volume', idxLine({ ...ordinary, volume: 0, value: 5 })],
    ['volume without value', idxLine({ ...ordinary, value: 0 })],
    ['high below low', idxLine({ ...ordinary, high: 99, low: 101 })],
    ['close outside low and high', idxLine({ ...ordinary, high: 120, low: 110 })],
    ['value does not fit volume and prices', idxLine({ ...ordinary, value: 100 * 10 })],
    ['second row of the same ticker and day', idxLine({ ...good, close: 200 })],
  ];

  // The good rows are lines 2 and 3, the empty line is the fourth.
  const FIRST_BAD_LINE = 5;
  let outcome: Awaited<ReturnType<typeof published>>;
  beforeAll(async () => {
    const lines = cases.map(([, line]) => line);
    outcome = await published([good, { date: '2024-03-06', close: 100 }, '', ...lines]);
  });

  test.each(cases.map(([reason, line], i) => ({ reason, line, at: FIRST_BAD_LINE + i })))(
    '$reason: is refused with file, line and text ($line)',
    async ({ reason, line, at }) => {
      const { rows } = await datasets.listRejectedRows({ version: outcome.version, limit: 100 }, operator);
      expect(rows.filter((row) => row.line === at)).toEqual([
        { file: 'bars/AAAA.csv', line: at, reason, text: line },
      ]);
    },
  );

  test('leave the good ones as they are', () => {
    expect(outcome.dataset.rejected_rows).toBe(cases.length);
    expect(outcome.bars.map(({ date, close }) => [date, close])).toEqual([
      ['2024-03-04', 100],
      ['2024-03-06', 100],
    ]);
  });

  test('are summed by reason, most frequent first, and listed in file order up to the limit', async () => {
    const bad = idxLine({ ...ordinary, close: '' });
    const { dataset, rejections } = await importFiles({
      'bars/BBBB.csv': idxFile([good, bad, 'x'.repeat(2_000)]),
      'bars/AAAA.csv': idxFile([good, bad]),
    });
    expect(rejections).toEqual([
      { reason: 'missing close', rows: 2, first_at: 'bars/AAAA.csv:3' },
      { reason: 'wrong number of columns', rows: 1, first_at: 'bars/BBBB.csv:4' },
    ]);
    expect(dataset!.rejected_rows).toBe(3);
    const { rows } = await datasets.listRejectedRows({ version: '', limit: 1_000 }, operator);
    expect(rows.map(({ file, line }) => `${file}:${line}`)).toEqual([
      'bars/AAAA.csv:3',
      'bars/BBBB.csv:3',
      'bars/BBBB.csv:4',
    ]);
    expect(rows[2]!.text).toBe('x'.repeat(500));
    expect((await datasets.listRejectedRows({ version: '', limit: 2 }, operator)).rows).toHaveLength(2);
    for (const limit of [0, 1_001]) {
      await expect(datasets.listRejectedRows({ version: '', limit }, operator)).rejects.toMatchObject({
        code: 'invalid_request',
        detail: [{ loc: ['limit'] }],
      });
    }
  });
});

describe('an import that fails publishes nothing and leaves nothing behind', () => {
  const day = { date: '2024-03-04', close: 100 };
  const noise = () => randomBytes(300_000).toString('hex');
  const rejected = (message: RegExp) => ({
    code: 'import_rejected',
    message: expect.stringMatching(message) as string,
  });

  test('broken gzip', async () => {
    const bytes = await tarGzOf({ 'bars/AAAA.csv': idxFile([day]), 'noise.txt': noise() });
    bytes.fill(0x55, 100_000, 100_100);
    expect(await refusal(() => importBytes(bytes))).toMatchObject(rejected(/^The gzip data is damaged/));
  });

  test('gzip and tar that end too early', async () => {
    const files = { 'bars/AAAA.csv': idxFile([day]), 'noise.txt': noise() };
    for (const [whole, format] of [
      [await tarGzOf(files), 'gzip'],
      [await tarOf(files), 'tar'],
    ] as const) {
      const cut = whole.subarray(0, whole.length / 2);
      const message = new RegExp(`^The ${format} data is damaged or ends too early`);
      expect(await refusal(() => importBytes(cut))).toMatchObject(rejected(message));
    }
  });

  test('an upload that ends without its hash, or with another one', async () => {
    const bytes = await tarGzOf({ 'bars/AAAA.csv': idxFile([day]) });
    const cut = () => importBytes(bytes, { sha256: null });
    expect(await refusal(cut)).toMatchObject(rejected(/cut short: it ended without its SHA-256/));
    const changed = () => importBytes(bytes, { sha256: '0'.repeat(64) });
    expect(await refusal(changed)).toMatchObject(rejected(/damaged on its way/));
  });

  test('a wrong header is named with its file and column, also with megabytes still to come', async () => {
    const wrong = IDX_HEADER.replace('volume', 'lots');
    const bytes = await tarOf({
      'bars/AAAA.csv': idxFile([day]),
      'bars/BBBB.csv': `${wrong}\n`,
      'noise.txt': randomBytes(8_000_000).toString('hex'),
    });
    expect(await refusal(() => importBytes(bytes))).toMatchObject(
      rejected(
        /^bars\/BBBB\.csv:1: column 9 of the header is 'lots', in the IDX daily format it is 'volume'$/,
      ),
    );
  });

  test.each<[string, () => Promise<Buffer>, RegExp]>([
    ['nothing at all', async () => Buffer.alloc(0), /empty/],
    ['random bytes', async () => randomBytes(5_000), /neither CSV text nor a tar archive/],
    ['an archive without bars', () => tarGzOf({ 'README.md': 'hello' }), /has no bars/],
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
    expect(await refusal(() => importBytes(upload))).toMatchObject(rejected(message));
  });

  test('a header without source or kind is invalid_request and names the fields', async () => {
    const failure = refusal(() => importBytes(Buffer.alloc(1), { source: ' ', kind: 'imaginary' }));
    expect(await failure).toMatchObject({
      code: 'invalid_request',
      detail: [{ loc: ['header', 'source'] }, { loc: ['header', 'kind'], input: 'imaginary' }],
    });
  });

  test('while one import runs another is told to wait, and a sender that goes away makes room for the next', async () => {
    const before = await state();
    const gone = new AbortController();
    async function* endless(): AsyncGenerator<ImportDatasetRequest> {
      yield { part: { $case: 'header', value: { source: 'endless.csv', kind: 'real' } } };
      yield { part: { $case: 'chunk', value: Buffer.from(idxFile([day])) } };
      await sleep(20_000, undefined, { signal: gone.signal });
    }
    const first = outcomeOf(datasets.importDataset(endless(), { ...operator, signal: gone.signal }));
    first.catch(() => {});
    const staging = () =>
      select(`SELECT 1 FROM system.tables WHERE database = 'market' AND name LIKE 'import_%'`);
    await expect.poll(staging, PATIENTLY).not.toEqual([]);

    const bytes = await tarGzOf({ 'bars/AAAA.csv': idxFile([{ ...day, close: 321 }]) });
    await expect(importBytes(bytes)).rejects.toMatchObject(
      rejected(/one at a time, and one of endless\.csv is running/),
    );
    gone.abort();
    await expect(first).rejects.toBeDefined();
    await expect.poll(state, PATIENTLY).toEqual(before);
    expect((await importBytes(bytes)).dataset!.bars).toBe(1);
  });
});

test('a slow import tells its progress every second', async () => {
  async function* slow(): AsyncGenerator<ImportDatasetRequest> {
    const upload = uploadOf(Buffer.from(idxFile([{ date: '2024-03-04', close: 77 }])), {
      source: 'AAAA.csv',
    });
    for await (const message of upload) {
      if (message.part?.$case === 'end_sha256') await sleep(2_200);
      yield message;
    }
  }
  const { progress } = await outcomeOf(datasets.importDataset(slow(), operator));
  const times = [0, ...progress.map(({ elapsed_ms }) => elapsed_ms)];
  expect(progress.length).toBeGreaterThanOrEqual(2);
  for (let i = 1; i < times.length; i++) expect(times[i]! - times[i - 1]!).toBeLessThan(1_000);
  expect(progress.at(-1)).toMatchObject({ rows_read: 1 });
});

describe('a sample', () => {
  const sample = async (seed: number, tickers = 12, days = 60) =>
    (await outcomeOf(datasets.generateSample({ seed, tickers, days }, operator))).outcome.dataset!;
  const barsOf = (version: string) =>
    select(
      `SELECT * EXCEPT dataset_version FROM market.daily_bar WHERE dataset_version = {version:String}
            ORDER BY ticker, date`,
      { version },
    );

  test('is labelled synthetic, has the wanted size, and no row of it is refused', async () => {
    const dataset = await sample(7);
    expect(dataset).toMatchObject({
      kind: 'synthetic',
      source: 'generator seed 7',
      tickers: 12,
      trading_days: 60,
      rejected_rows: 0,
    });
    expect(dataset.version).toMatch(/^synthetic-\d{8}-\d+$/);
    expect(await datasets.getCurrentDataset({}, anybody)).toEqual({ dataset, data_loaded: true });
    const listing = await select<{ name: string; sector: string }>(
      `SELECT name, sector FROM market.listing WHERE dataset_version = {version:String}`,
      { version: dataset.version },
    );
    expect(listing).toHaveLength(12);
    for (const { name, sector } of listing) expect([name, sector]).not.toContain('');
  });

  test('of the same seed is the same version while it is the newest, and the same market afterwards', async () => {
    const one = await sample(7);
    expect(await sample(7)).toEqual(one);
    const other = await sample(8);
    expect(other.fingerprint).not.toBe(one.fingerprint);
    const again = await sample(7);
    expect(again.fingerprint).toBe(one.fingerprint);
    expect(again.version).not.toBe(one.version);
    expect(await barsOf(again.version)).toEqual(await barsOf(one.version));
    expect(await barsOf(other.version)).not.toEqual(await barsOf(one.version));
  });

  test('of an impossible size is invalid_request', async () => {
    const wish = { seed: 1, tickers: 0, days: 1_000_000 };
    await expect(outcomeOf(datasets.generateSample(wish, operator))).rejects.toMatchObject({
      code: 'invalid_request',
      detail: [{ loc: ['tickers'] }, { loc: ['days'] }],
    });
  });
});

describe('reads', () => {
  test('refuse no, empty and too many tickers, counting repeated ones once', async () => {
    const quotes = (tickers: string[]) => market.getQuotes({ tickers }, anybody);
    const codes = Array.from({ length: 51 }, (_, i) => `T${i}`);
    await expect(quotes([])).rejects.toMatchObject({
      code: 'invalid_request',
      detail: [{ loc: ['tickers'] }],
    });
    await expect(quotes(['A', ' '])).rejects.toMatchObject({
      code: 'invalid_request',
      detail: [{ loc: ['tickers', 1] }],
    });
    await expect(quotes(codes)).rejects.toMatchObject({ code: 'too_many_tickers' });
    expect((await quotes([...codes.slice(1), 't1', 'T2'])).quotes).toEqual({});
  });

  test('refuse days out of bounds and unknown tickers', async () => {
    const [version] = (await datasets.listDatasets({}, operator)).datasets;
    const [row] = await select<{ ticker: string }>(
      `SELECT ticker FROM market.daily_bar WHERE dataset_version = {version:String} LIMIT 1`,
      { version: version!.version },
    );
    const snapshot = (ticker: string, days: number) => market.getSnapshot({ ticker, days }, anybody);
    for (const days of [-1, 0, 251]) {
      await expect(snapshot(row!.ticker, days)).rejects.toMatchObject({
        code: 'invalid_request',
        detail: [{ loc: ['days'], input: days }],
      });
    }
    expect((await snapshot(row!.ticker, 250)).ohlcv.length).toBeGreaterThan(0);
    await expect(snapshot('ZZZZ', 20)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('restarts', () => {
  test('what a killed import left is removed, and the newest version is in memory again', async () => {
    const { dataset } = await importFiles({ 'bars/AAAA.csv': idxFile([{ date: '2024-03-04', close: 55 }]) });
    const before = await state();
    async function* endless(): AsyncGenerator<ImportDatasetRequest> {
      yield { part: { $case: 'header', value: { source: 'AAAA.csv', kind: 'real' } } };
      await sleep(20_000, undefined, { ref: false });
    }
    outcomeOf(datasets.importDataset(endless(), operator)).catch(() => {});
    await expect
      .poll(async () => (await state()).tables.length, PATIENTLY)
      .toBeGreaterThan(before.tables.length);
    await sql.command({
      query: `INSERT INTO market.daily_bar SELECT * REPLACE ('real-20300101-1' AS dataset_version)
              FROM market.daily_bar WHERE dataset_version = {version:String}`,
      query_params: { version: dataset!.version },
    });
    await stop('SIGKILL');
    await start();
    await expect.poll(state, PATIENTLY).toEqual(before);
    await expect
      .poll(() => datasets.getCurrentDataset({}, anybody), PATIENTLY)
      .toEqual({ dataset, data_loaded: true });
  });

  test('with ClickHouse away the service starts, says data_unavailable, and recovers by itself', async () => {
    const { dataset } = await datasets.getCurrentDataset({}, anybody);
    await stop();
    await clickhouse.kill9();
    await start();
    const away = { code: 'data_unavailable' };
    expect(await datasets.getCurrentDataset({}, anybody)).toEqual({ dataset: undefined, data_loaded: false });
    await expect(market.getQuotes({ tickers: ['AAAA'] }, anybody)).rejects.toMatchObject(away);
    await expect(datasets.listDatasets({}, operator)).rejects.toMatchObject(away);
    await expect(importBytes(await tarGzOf({}))).rejects.toMatchObject(away);
    await clickhouse.start();
    const current = () => datasets.getCurrentDataset({}, anybody);
    await expect.poll(current, PATIENTLY).toEqual({ dataset, data_loaded: true });
  });

  test('with ClickHouse lost during an import, the import fails, reads go on, and the next import clears up', async () => {
    const before = await state();
    const lost = Promise.withResolvers<void>();
    const bytes = Buffer.from(idxFile([{ date: '2024-03-04', close: 56 }]));
    async function* interrupted(): AsyncGenerator<ImportDatasetRequest> {
      for await (const message of uploadOf(bytes, { source: 'AAAA.csv' })) {
        if (message.part?.$case === 'end_sha256') await lost.promise;
        yield message;
      }
    }
    const failing = outcomeOf(datasets.importDataset(interrupted(), operator));
    failing.catch(() => {});
    await expect
      .poll(async () => (await state()).tables.length, PATIENTLY)
      .toBeGreaterThan(before.tables.length);
    await clickhouse.kill9();
    lost.resolve();
    await expect(failing).rejects.toMatchObject({ code: 'data_unavailable' });
    expect((await market.getQuotes({ tickers: ['AAAA'] }, anybody)).quotes).toHaveProperty('AAAA');
    await clickhouse.start();
    await expect(importBytes(Buffer.alloc(0))).rejects.toMatchObject({ code: 'import_rejected' });
    expect(await state()).toEqual(before);
  });
});

describe.skipIf(!existsSync(REAL_ARCHIVE))('the real archive', () => {
  test(
    'is read whole; two system tests are refused; known splits are found',
    { timeout: 120_000 },
    async () => {
      const { dataset, rejections, elapsed_ms } = await importBytes(readFileSync(REAL_ARCHIVE));
      console.log(`926,216 rows in ${Math.round(elapsed_ms)} ms`);
      expect(dataset).toMatchObject({
        version: expect.stringMatching(/^real-20240628-\d+$/) as string,
        first_date: '2019-07-29',
        last_date: '2024-06-28',
        trading_days: 1_193,
        tickers: 931,
        bars: 925_488,
        rejected_rows: 728,
      });
      expect(rejections).toMatchObject([{ reason: 'not a trading day: a weekend', rows: 728 }]);
      const { version } = dataset!;
      const splits = await select<{ what: string; share_factor: number }>(
        `SELECT concat(ticker, ' ', toString(date)) AS what, share_factor FROM market.daily_bar
       WHERE dataset_version = {version:String} AND share_factor != 1`,
        { version },
      );
      expect(splits.length).toBeGreaterThanOrEqual(55);
      const byName = Object.fromEntries(splits.map(({ what, share_factor }) => [what, share_factor]));
      for (const [what, ratio] of Object.entries({
        'BBCA 2021-10-13': 1 / 5,
        'BMRI 2023-04-04': 1 / 2,
        'BBNI 2023-10-06': 1 / 2,
        'UNVR 2020-01-02': 1 / 5,
        'BYAN 2022-12-02': 1 / 10,
        'BEKS 2020-12-10': 10,
      })) {
        expect(byName[what], what).toBeCloseTo(ratio, 6);
      }
      const echoes = await select(
        `SELECT ticker FROM market.daily_bar
       WHERE dataset_version = {version:String} AND date IN ('2021-05-24', '2024-01-08') AND factor != 1`,
        { version },
      );
      expect(echoes).toEqual([]);
      const snapshot = await market.getSnapshot({ ticker: 'bbca', days: 250 }, anybody);
      expect(snapshot).toMatchObject({ date: '2024-06-28', is_partial: false, sector: 'Financials' });
      expect(snapshot.ohlcv).toHaveLength(250);
    },
  );
});
