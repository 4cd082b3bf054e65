import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { makeFolder } from '#support/fleets/cli-surroundings.ts';
import { operator, outcomeOf } from '#support/services/dataset-client.ts';
import { idxFile, tarGzOf, weekdays } from '#support/markets/idx-archive.ts';
import { nodeEnvironment } from '#support/processes/node-environment.ts';
import { datasetCommand } from '#support/services/dataset-command.ts';
import { testMarketData } from '#support/services/test-market-data.ts';
import { LAUNCHER, type CliResponse } from '#support/fleets/saring-cli.ts';
import { needing } from '#support/needing.ts';

const own = testMarketData();
const { env, cli } = datasetCommand(own);
const TICKERS = ['AAAA', 'BBBB', 'CCCC', 'DDDD', 'EEEE'];
const DAYS = weekdays('2024-01-02', 10);

let close = 100;
/** A market with prices that no other import of this file has. */
function market(tickers: string[], days: string[]): Record<string, string> {
  close++;
  return Object.fromEntries(
    tickers.map((ticker) => [
      `bars/${ticker}.csv`,
      idxFile(days.map((date) => ({ date, close, previous: close }))),
    ]),
  );
}

/** The version of a market of five stocks on ten days. */
let whole: string;
beforeEach(async () => {
  whole = (await own.importFiles(market(TICKERS, DAYS))).dataset!.version;
});

const importing = async (files: Record<string, string>, kind = 'real', may_shrink = false) =>
  own.importBytes(await tarGzOf(files), { kind, header: { may_shrink } });
const served = async () => (await own.datasets.listServedDatasets({ limit: 100 }, operator)).served.length;

const tooSmall: [string, Record<string, string>, string][] = [
  [
    'one bar',
    market(['AAAA'], DAYS.slice(0, 1)),
    'tickers from 5 to 1, trading days from 10 to 1, bars from 50 to 1',
  ],
  ['fewer than 80 % of the tickers', market(TICKERS.slice(0, 3), DAYS), 'tickers from 5 to 3'],
  ['fewer than 80 % of the trading days', market(TICKERS, DAYS.slice(0, 7)), 'trading days from 10 to 7'],
];
test.each(tooSmall)(
  '%s: the service refuses the import, reports the loss and publishes nothing',
  async (_, files, loss) => {
    const before = [await own.state(), await served()];
    await expect(importing(files)).rejects.toMatchObject({
      code: 'import_rejected',
      message: expect.stringContaining(loss) as string,
      detail: [
        {
          type: 'dataset_shrinks',
          ctx: { served: { version: whole, tickers: 5, bars: 50 }, imported: { kind: 'real' } },
        },
      ],
    });
    expect([await own.state(), await served()]).toEqual(before);
    expect(await own.answering()).toBe(whole);
    const allowed = await importing(files, 'real', true);
    expect(await own.answering()).toBe(allowed.dataset!.version);
  },
);

test('losing a fifth of the tickers or of the days is allowed, but losing both is not', async () => {
  await importing(market(TICKERS.slice(0, 4), DAYS));
  whole = (await own.importFiles(market(TICKERS, DAYS))).dataset!.version;
  await importing(market(TICKERS, DAYS.slice(0, 8)));
  whole = (await own.importFiles(market(TICKERS, DAYS))).dataset!.version;
  await expect(importing(market(TICKERS.slice(0, 4), DAYS.slice(0, 8)))).rejects.toMatchObject({
    message: expect.stringMatching(/: bars from 50 to 32\. Nothing/) as string,
  });
});

test('losing real broker rows also counts as shrinking', async () => {
  const rows = ['ticker,date,market,broker,buy_volume,buy_value,sell_volume,sell_value'];
  for (const side of [`AK,10,${10 * close},0,0`, `CC,0,0,10,${10 * close}`])
    rows.push(`AAAA,${DAYS[0]},RG,${side}`);
  await own.importBytes(Buffer.from(rows.join('\n')), { source: 'rows.csv' });
  await expect(importing(market(TICKERS, DAYS))).rejects.toMatchObject({
    message: expect.stringContaining('real broker rows from 2 to 0') as string,
  });
});

test('synthetic data never replaces real data by default; real data always may replace synthetic data', async () => {
  await expect(importing(market(TICKERS, DAYS), 'synthetic')).rejects.toMatchObject({
    message: expect.stringContaining('from real to synthetic data') as string,
  });
  const sample = (may_shrink: boolean) =>
    outcomeOf(own.datasets.generateSample({ seed: 1, tickers: 20, days: 30, may_shrink }, operator));
  await expect(sample(false)).rejects.toMatchObject({ detail: [{ type: 'dataset_shrinks' }] });
  const { outcome } = await sample(true);
  expect(await own.answering()).toBe(outcome.dataset!.version);
  const real = await importing(market(['AAAA'], DAYS.slice(0, 1)));
  expect(await own.answering()).toBe(real.dataset!.version);
});

test('a synthetic market cannot hide a lost real one, but a real one may replace it', async () => {
  await own.sql.command({ query: `DELETE FROM market.dataset WHERE version = '${whole}'` });
  const sample = { seed: 2, tickers: 20, days: 30, may_shrink: false };
  await expect(outcomeOf(own.datasets.generateSample(sample, operator))).rejects.toMatchObject({
    code: 'import_rejected',
    message: expect.stringContaining(`${whole} is missing from the store`) as string,
  });
  await importing(market(['AAAA'], DAYS.slice(0, 1)));
});

/** Makes a folder with one day of one stock. */
async function oneBar(): Promise<string> {
  const folder = path.join(await makeFolder(), 'day');
  await mkdir(folder);
  await writeFile(path.join(folder, 'AAAA.csv'), market(['AAAA'], ['2024-01-16'])['bars/AAAA.csv']!);
  return folder;
}

test('without a terminal the command exits with code 4 and advice; --replace and --add override', async () => {
  const folder = await oneBar();
  const refused = await cli('import', folder);
  expect(refused).toMatchObject({ code: 4, stdout: '' });
  expect(refused.stderr).toMatch(/^saring: This would shrink .+ --add or --replace\.$/m);
  expect(await own.answering()).toBe(whole);
  const added = await cli('import', folder, '--add', '--json');
  expect(added, added.stderr).toMatchObject({ code: 0 });
  expect((JSON.parse(added.stdout) as { dataset: { bars: number } }).dataset.bars).toBe(51);
  expect((await cli('import', folder, '--replace')).code).toBe(0);
  expect((await cli('import', folder, '--replace', '--add')).code).toBe(2);
});

/** Runs the command on a terminal whose user gives this response. */
function atTerminal(words: string[], response: string): Promise<CliResponse> {
  const command = [process.execPath, LAUNCHER, 'dataset', ...words].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: { ...nodeEnvironment(), ...env, SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let stdout = '';
  let isAnswered = false;
  child.stdout.on('data', (text: Buffer) => {
    stdout += text.toString();
    if (!isAnswered && stdout.includes('[y/N]')) {
      isAnswered = true;
      child.stdin.write(response);
    }
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr: '' })));
}

const hasScript = ['/usr/bin/script', '/bin/script'].some((program) => existsSync(program));
const atTerminalOnly = needing("Debian's bsdutils (script)", hasScript);
test('at a terminal the command shows both states and asks; the default is no', atTerminalOnly, async () => {
  const folder = await oneBar();
  for (const response of ['\r', 'n\r', '\u0004', '\u0003']) {
    const { code, stdout } = await atTerminal(['import', folder], response);
    expect(code, stdout).toBe(4);
    expect(stdout).toContain('nothing was published');
    expect(stdout).toMatch(/bars +50 +1\r?\n/);
    expect(stdout).toMatch(/last date +2024-01-15 +2024-01-16/);
    expect(stdout).toContain('--add');
  }
  expect(await own.answering()).toBe(whole);
  const { code, stdout } = await atTerminal(['import', folder], 'y\r');
  expect(code, stdout).toBe(0);
  expect(await own.answering()).not.toBe(whole);
});
