import { execFileSync } from 'node:child_process';
import { mkdir, open, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Dataset, ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import { idxFile, tarGzOf, weekdays } from '#support/markets/idx-archive.ts';
import { makeFolder } from '#support/fleets/cli-surroundings.ts';
import { REPOSITORY } from '#support/repository.ts';
import { startCli } from '#support/fleets/saring-cli.ts';
import { datasetCommand } from '#support/services/dataset-command.ts';
import { testMarketData } from '#support/services/test-market-data.ts';

const SAMPLE_DATASET = path.join(REPOSITORY, 'deploy/examples/dataset');

const own = testMarketData();
const { env, cli } = datasetCommand(own);

async function json<T>(...words: string[]): Promise<T> {
  const { code, stdout, stderr } = await cli(...words, '--json');
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as T;
}

const DAYS = weekdays('2024-01-02', 30);
const bars = (base: number) => idxFile(DAYS.map((date, index) => ({ date, close: base + 10 * index })));
const withMistakes = idxFile([
  ...DAYS.map((date) => ({ date, close: 500 })),
  'not a date,1,2',
  'nor this,3,4',
]);

/** A folder like the exchange's, with other files that are not data. */
async function marketFolder(): Promise<string> {
  const folder = path.join(await makeFolder(), 'my-market');
  await mkdir(path.join(folder, 'bars'), { recursive: true });
  await writeFile(path.join(folder, 'bars', 'AAAA.csv'), bars(1_000));
  await writeFile(path.join(folder, 'bars', 'BBBB.csv'), withMistakes);
  await writeFile(path.join(folder, 'bars', '._AAAA.csv'), 'attributes');
  await writeFile(path.join(folder, 'README.md'), 'about this market');
  return folder;
}

test('import reads a folder, sums rejected rows by reason with the first place, and lists them', async () => {
  const folder = await marketFolder();
  const { code, stdout, stderr } = await cli('import', folder);
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/2 tickers, 60 bars/);
  expect(stdout).toContain('from my-market');
  expect(stdout).toMatch(/2 .+bars\/BBBB\.csv:32/);
  const rejected = await cli('rejected');
  expect(rejected.stdout).toContain('bars/BBBB.csv:32');
  expect(rejected.stdout).toContain('not a date,1,2');
  const { rows } = await json<{ rows: unknown[] }>('rejected', '--limit', '1');
  expect(rows).toMatchObject([{ file: 'bars/BBBB.csv', line: 32 }]);
});

test('an import that changes nothing lists the rows that it refused, and dataset rejected says why it has none', async () => {
  const folder = path.join(await makeFolder(), 'clean');
  await mkdir(folder);
  await writeFile(path.join(folder, 'AAAA.csv'), bars(1_000));
  const { dataset } = await json<ImportOutcome>('import', folder, '--replace');
  const again = path.join(await makeFolder(), 'AAAA.csv');
  await writeFile(again, `${bars(1_000)}not a date,1,2\n`);
  const { code, stdout } = await cli('import', again, '--add');
  expect(code).toBe(0);
  expect(stdout).toContain('unchanged');
  expect(stdout).toContain('Nothing is published');
  expect(stdout).toContain('1 refused row is not stored:');
  expect(stdout).toContain('AAAA.csv:32: wrong number of columns\n        not a date,1,2');
  expect((await cli('rejected')).stdout).toBe(
    `The import of ${dataset!.version} refused no row. An import that changes nothing lists its refused rows itself.\n`,
  );
});

test('the sample of the documentation is imported whole', async () => {
  const words = ['import', SAMPLE_DATASET, '--kind', 'synthetic', '--replace'];
  const { dataset, rejections, findings, broker_table } = await json<ImportOutcome>(...words);
  expect({ rejections, findings }).toEqual({ rejections: [], findings: [] });
  expect(dataset).toMatchObject({
    tickers: 2,
    bars: 8,
    first_date: '2024-07-01',
    last_date: '2024-07-04',
    broker_rows: 4,
  });
  expect(broker_table).toMatchObject({ brokers: 2 });
  const select = (query: string) => own.select(query, { version: dataset!.version });
  expect(
    await select(
      `SELECT toString(date) AS date, factor, share_factor FROM market.daily_bar
       WHERE dataset_version = {version:String} AND ticker = 'QAAA' AND factor != 1`,
    ),
  ).toEqual([{ date: '2024-07-03', factor: 0.5, share_factor: 0.5 }]);
  expect(
    await select(
      `SELECT ticker, name, sector, board FROM market.listing
       WHERE dataset_version = {version:String} ORDER BY ticker`,
    ),
  ).toEqual([
    { ticker: 'QAAA', name: 'Contoh Alfa Tbk.', sector: 'Energy', board: 'Utama' },
    { ticker: 'QBBB', name: 'Contoh Beta, Tbk.', sector: '', board: 'Pengembangan' },
  ]);
});

test('--if-changed keeps the current version until a byte or the kind changes', async () => {
  const folder = await marketFolder();
  const first = await json<ImportOutcome>('import', folder, '--kind', 'synthetic', '--replace');
  expect(first.dataset).toMatchObject({ kind: 'synthetic', tickers: 2, source: 'my-market' });
  const { version } = first.dataset!;
  const again = await json<{ dataset: Dataset; unchanged: true }>(
    'import',
    folder,
    '--kind',
    'synthetic',
    '--if-changed',
  );
  expect(again).toMatchObject({ dataset: { version }, unchanged: true });
  await writeFile(path.join(folder, 'bars', 'CCCC.csv'), bars(2_000));
  const changed = await json<ImportOutcome>('import', folder, '--kind', 'synthetic', '--if-changed');
  expect(changed.dataset).toMatchObject({ tickers: 3 });
  expect(changed.dataset!.version).not.toBe(version);
  const real = await json<ImportOutcome>('import', folder, '--if-changed');
  expect(real.dataset).toMatchObject({ kind: 'real' });
});

test('broker options apply to the import, and findings follow the rejections', async () => {
  await cli('import', await marketFolder(), '--replace');
  const rows = ['RG,AK,10,1000000,0,0', 'RG,CC,0,0,9,900000', 'XX,CC,0,0,1,100000'];
  const file = path.join(await makeFolder(), 'vendor.csv');
  await writeFile(
    file,
    [
      'ticker,date,market,broker,buy_volume,buy_value,sell_volume,sell_value',
      ...rows.map((row) => `AAAA,${DAYS[0]},${row}`),
    ].join('\n'),
  );
  const { code, stdout, stderr } = await cli(
    'import',
    file,
    '--broker-unit',
    'lots',
    '--broker-mode',
    'gross',
  );
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/2 real broker rows, 2024-01-02 to 2024-01-02, from vendor\.csv/);
  expect(stdout).toMatch(
    /1 {2}unknown market {2}vendor\.csv:4\n[^]*1 {2}buys and sells are not equal +AAAA 2024-01-02 REG/,
  );
  expect((await cli('show')).stdout).toContain('2 real broker rows, 2024-01-02 to 2024-01-02');
  expect(await cli('import', file, '--broker-mode', 'both')).toMatchObject({ code: 2, stdout: '' });
});

test('--synthesize-brokers generates missing broker rows and says so', async () => {
  const { stdout } = await cli('import', await marketFolder(), '--replace', '--synthesize-brokers');
  expect(stdout).toMatch(/[\d,]+ SYNTHETIC broker rows \(seed 1\), 2024-01-02 to 2024-02-15/);
});

test('synthesize-brokers adds synthetic rows of a seed to the newest version as a new version', async () => {
  const { dataset: bare } = await json<ImportOutcome>('import', await marketFolder(), '--replace');
  const { dataset } = await json<ImportOutcome>('synthesize-brokers', '--seed', '8');
  expect(bare).toMatchObject({ broker_data: 'none' });
  expect(dataset).toMatchObject({ broker_data: 'synthetic', broker_seed: 8, bars: bare!.bars });
  expect((await cli('synthesize-brokers', '--seed', '8')).stdout).toMatch(
    /SYNTHETIC broker rows.*, unchanged/,
  );
});

test('sample generates a dataset from seed, tickers and days', async () => {
  const { dataset } = await json<ImportOutcome>(
    'sample',
    '--seed',
    '7',
    '--tickers',
    '5',
    '--days',
    '40',
    '--replace',
  );
  expect(dataset).toMatchObject({ kind: 'synthetic', tickers: 5, trading_days: 40 });
  expect((await cli('sample', '--seed', '7', '--tickers', '5', '--days', '40')).stdout).toContain(
    'SYNTHETIC',
  );
});

test('--add adds a day once, and prune removes all versions but the newest', async () => {
  await cli('import', await marketFolder(), '--replace');
  const file = path.join(await makeFolder(), 'AAAA.csv');
  await writeFile(file, idxFile([{ date: '2024-03-01', close: 1_300 }]));
  const { dataset } = await json<ImportOutcome>('import', file, '--add');
  expect(dataset).toMatchObject({ version: 'real-20240301-1', bars: 61, last_date: '2024-03-01' });
  for (const more of [[], ['--if-changed']]) {
    const again = await cli('import', file, '--add', ...more);
    expect(again.stdout).toMatch(/dataset real-20240301-1 .+, unchanged/);
  }
  const { datasets } = await json<{ datasets: Dataset[] }>('list');
  const old = datasets.slice(2).map(({ version }) => version);
  expect(await json('prune', '--keep', '2')).toEqual({ removed: old });
  expect((await cli('prune', '--keep', '1')).stdout).toBe(`  ✓ removed ${datasets[1]!.version}\n`);
  expect((await cli('prune', '--keep', '1')).stdout).toBe('Nothing to remove.\n');
  expect(await cli('prune', '--keep', '0')).toMatchObject({ code: 2, stdout: '' });
  // A list leaves the missing days out.
  const left = { ...dataset, missing_days: [] };
  expect((await json<{ datasets: Dataset[] }>('list')).datasets).toEqual([left]);
});

test('--if-changed keeps later additions to a dataset made from the same files', async () => {
  const folder = await marketFolder();
  await cli('import', folder, '--kind', 'synthetic', '--replace');
  const file = path.join(await makeFolder(), 'AAAA.csv');
  await writeFile(file, idxFile([{ date: '2024-03-04', close: 1_300 }]));
  const added = await json<ImportOutcome>('import', file, '--add', '--kind', 'synthetic');
  const again = await json<ImportOutcome>('import', folder, '--kind', 'synthetic', '--if-changed');
  expect(again).toMatchObject({ dataset: added.dataset, unchanged: true });
  const flags = ['--kind', 'synthetic', '--if-changed', '--synthesize-brokers'];
  const { dataset } = await json<ImportOutcome>('import', folder, ...flags);
  expect(dataset).toMatchObject({ bars: added.dataset!.bars, broker_data: 'synthetic' });
});

test('an import aborted with Ctrl-C leaves no table behind', async () => {
  const tables = async () => (await own.state()).tables;
  const before = await tables();
  const pipe = path.join(await makeFolder(), 'AAAA.csv');
  execFileSync('mkfifo', [pipe]);
  const { child, answer: response } = startCli(['dataset', 'import', pipe], { env });
  const sender = await open(pipe, 'w');
  await sender.write(bars(100));
  await expect.poll(async () => (await tables()).length).toBeGreaterThan(before.length);
  child.kill('SIGINT');
  await response;
  await sender.close();
  await expect.poll(tables).toEqual(before);
});

test('control characters in archive names, lines and sources are shown escaped, also in errors', async () => {
  const hostile = '\x1b[2J\x1b]0;gone\x07\u202e\u009b31m';
  const file = path.join(await makeFolder(), `market ${hostile}.tar.gz`);
  const entry = `bars ${hostile}\n  ✓ a forged line/BBBB.csv`;
  await writeFile(
    file,
    await tarGzOf({
      'bars/AAAA.csv': bars(100),
      [entry]: `${withMistakes}${hostile}\n`,
      'bars/CCCC.csv': bars(7),
    }),
  );
  const broken = path.join(await makeFolder(), 'broken.tar.gz');
  await writeFile(broken, await tarGzOf({ [`${hostile}\n/BBBB.csv`]: 'date,previous\n' }));
  const responses = [
    await cli('import', file, '--replace'),
    await cli('import', file, '--replace', '--json'),
    await cli('show'),
    await cli('list'),
    await cli('history'),
    await cli('rejected'),
    await cli('rejected', '--json'),
    await cli('rejected', '--version', hostile),
    await cli('import', broken),
    await cli('import', `/no/such/${hostile}`),
    await cli('rejected', '--limit', hostile),
  ];
  for (const { stdout, stderr } of responses) {
    const shown = `${stdout}${stderr}`;
    expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(shown).not.toMatch(/^ {2}✓ a forged line/m);
  }
  const shown = '\\x1b[2J\\x1b]0;gone\\x07\\u202e\\x9b31m';
  expect(responses[0]!.stdout).toContain(`from market ${shown}.tar.gz`);
  expect(responses[0]!.stdout).toContain(`bars ${shown}\\n  ✓ a forged line/BBBB.csv:32`);
  expect(responses[5]!.stdout).toContain(`\n    ${shown}\n`);
  expect(responses[7]!.stderr).toContain(
    'version: must be at most 64 printable ASCII characters without spaces',
  );
  expect(responses[8]!.stderr).toContain(`${shown}\\n/BBBB.csv:1: `);
  const { rows } = JSON.parse(responses[6]!.stdout) as { rows: { file: string }[] };
  expect(rows[0]!.file).toBe(entry);
});

test('an import refused by the service publishes nothing and exits with code 1', async () => {
  const before = await json<{ dataset: Dataset }>('show');
  const file = path.join(await makeFolder(), 'AAAA.csv');
  await writeFile(file, Buffer.from([0, 1, 2, 3]));
  const { code, stdout, stderr } = await cli('import', file);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/\(import_rejected\)$/m);
  expect(await json('show')).toEqual(before);
});

test('an unreadable file is named, and nothing is published', async () => {
  const before = await json<{ dataset: Dataset }>('show');
  // This file exists and opens, but fails at the first read, even for root.
  const { code, stdout, stderr } = await cli('import', '/proc/self/mem');
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/saring: \/proc\/self\/mem cannot be read: EIO/);
  expect(await json('show')).toEqual(before);
});
