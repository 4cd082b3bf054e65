import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newestDueDay } from '#quant/exchange/calendar/due-days.ts';
import { IDX_CALENDAR } from '#quant/exchange/calendar/trading-calendar.ts';
import { jakartaDay } from '#foundation/jakarta-time.ts';
import { freePort } from '#local/state/ports.ts';
import { startFeed } from '#support/feed/feed-process.ts';
import { daysBefore, RecordedExchange, type Quirk } from '#support/feed/recorded-exchange.ts';
import { makeFolder, removeFolders, writeFleetFile } from '#support/fleets/cli-surroundings.ts';
import { scrape, sumOf } from '#support/fleets/scrape.ts';
import { runCli } from '#support/fleets/saring-cli.ts';
import type { ServiceProcess } from '#support/processes/service-process.ts';
import { ownServers } from '#support/servers/servers.ts';
import { testMarketData } from '#support/services/test-market-data.ts';

const servers = ownServers();
const own = testMarketData();
const DAY = newestDueDay(IDX_CALENDAR, new Date());
const BASE = daysBefore(DAY, 6);
const OLDER = daysBefore(BASE[0]!, 3);

const exchange = new RecordedExchange(() => jakartaDay(new Date()));
/** Until it is told otherwise: on a slow machine the feed asks again by itself while a test runs. */
const goesWrong = (quirk: Quirk) => exchange.quirks.set(DAY, Array<Quirk>(1_000).fill(quirk));
let stateDir: string;
let folder: string;
let feed: ServiceProcess;
let opsPort: number;

beforeAll(async () => {
  await exchange.start();
  // The next day may become due while the tests run.
  exchange.lateUntil.set(IDX_CALENDAR.nextTradingDay(DAY), '9999-12-31');
  goesWrong('a bot wall');
  await own.importBytes(await exchange.archive(BASE), { source: 'history' });
  [stateDir, folder] = await Promise.all([makeFolder(), makeFolder()]);
  const sourcesFile = await written('sources.json', {
    sources: [declared('exchange', { requests_per_day: 1_000, recheck_days: 0 })],
  });
  opsPort = await freePort();
  feed = await startFeed(servers.databaseUrl, sourcesFile, own, { OPS_PORT: String(opsPort) });
  await writeFleetFile(stateDir, { keys: '127.0.0.1:9', market_data: own.address, feed: feed.address });
});
afterAll(async () => {
  await feed?.kill();
  exchange.stop();
  await removeFolders();
});

const declared = (name: string, more: object = {}) => ({
  name,
  format: 'idx_summary',
  from: { url: `${exchange.url}&key=secret` },
  ...more,
});

async function written(name: string, document: unknown): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, JSON.stringify(document));
  return file;
}

const cli = (...words: string[]) => runCli(['feed', ...words], { env: { STATE_DIR: stateDir } });

async function json<T = Record<string, unknown>>(...words: string[]): Promise<T> {
  const { code, stdout, stderr } = await cli(...words, '--json');
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as T;
}

interface Sources {
  sources: Record<string, unknown>[];
}

test('status shows what each source waits for and why, as text and as JSON', async () => {
  const state = async () => (await json<Sources>('status')).sources[0];
  await expect.poll(state).toMatchObject({ state: 'failing', due_day: DAY });
  const { stdout } = await cli('status');
  expect(stdout).toMatch(new RegExp(`exchange +idx_summary +failing +none yet +${DAY}.+bot wall`));
  expect(stdout).not.toContain('secret');
  expect(await state()).toMatchObject({
    name: 'exchange',
    last_day: null,
    last_published_at: null,
    catch_up: null,
    requests_per_day: 1_000,
    reason: expect.stringContaining('answered with a bot wall titled') as string,
  });
  const uncounted = async () => exchange.requests.get(DAY)! - Number((await state())!['requests_today']);
  await expect.poll(uncounted).toBe(0);
});

const measured = async (name: string) => sumOf(await scrape(`http://127.0.0.1:${opsPort}`), name);

test('metrics count the sources that fail', async () => {
  await expect.poll(() => measured('saring_feed_failing_sources')).toBe(1);
  expect(await measured('saring_feed_source_last_published_timestamp_seconds')).toBeUndefined();
});

test('a span succeeds when every day of it came, even while the due day is missing', async () => {
  exchange.lateUntil.set(DAY, '9999-12-31');
  const span = await cli('run', 'exchange', '--from', OLDER[2]!, '--to', OLDER[2]!);
  goesWrong('a renamed field');
  exchange.lateUntil.delete(DAY);
  expect(span).toMatchObject({ code: 0, stdout: expect.stringContaining(`due       ${DAY}`) as string });
  const { fetches } = await json<{ fetches: object[] }>('log', '--subject', OLDER[2]!);
  expect(fetches).toMatchObject([{ outcome: 'published' }]);
});

test('run asks a source at once, and fails with its reason when the source fails', async () => {
  const text = await cli('run', 'exchange');
  expect(text).toMatchObject({ code: 1, stdout: expect.stringContaining('exchange: failing') as string });
  expect(text.stdout).toMatch(/because .+missing: 'Close'; unknown: 'ClosePrice'/);
  const machine = await cli('run', 'exchange', '--json');
  expect(machine).toMatchObject({ code: 1, stderr: '' });
  expect(JSON.parse(machine.stdout)).toMatchObject({
    state: 'failing',
    reason: expect.stringContaining('ClosePrice') as string,
  });
});

test('run brings what is due, and a span with its progress', async () => {
  exchange.quirks.delete(DAY);
  expect(await json('run', 'exchange')).toMatchObject({ state: 'idle', last_day: DAY, reason: null });
  const span = await cli('run', 'exchange', '--from', OLDER[0]!, '--to', OLDER.at(-1)!);
  expect(span).toMatchObject({ code: 0, stdout: expect.stringContaining('exchange: idle') as string });
  expect(span.stderr).toContain(`exchange: 0 of 3 days from ${OLDER[0]} to ${OLDER.at(-1)}`);
  const { dataset } = await own.datasets.getCurrentDataset({}, { requestId: 'req_test' });
  expect(dataset).toMatchObject({ first_date: OLDER[0], last_date: DAY, trading_days: 10 });
});

test('a span fails when the source lacks one of its days, and names the days that did not come', async () => {
  const [missing, there] = daysBefore(OLDER[0]!, 2) as [string, string];
  exchange.lateUntil.set(missing, '9999-12-31');
  const span = await cli('run', 'exchange', '--from', missing, '--to', there);
  expect(span.code).toBe(1);
  expect(span.stdout).toMatch(
    new RegExp(`1 day did not come.+\\n +${missing} .*has nothing for ${missing} yet`),
  );
});

test('a paused source says why it is paused, is not asked, and continues when it is resumed', async () => {
  expect(await json('pause', 'exchange', '--reason', 'holiday of the vendor')).toMatchObject({
    state: 'paused',
    reason: 'holiday of the vendor',
    next_attempt_at: null,
  });
  await expect.poll(() => measured('saring_feed_failing_sources')).toBe(0);
  expect(await measured('saring_feed_source_last_published_timestamp_seconds')).toBeGreaterThan(0);
  const run = await cli('run', 'exchange');
  expect(run).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/exchange: paused[^]*holiday/) as string,
  });
  const { code, stdout } = await cli('resume', 'exchange');
  expect([code, stdout]).toEqual([0, expect.stringContaining('exchange: ')]);
  expect(stdout).not.toContain('paused');
});

test('log has every attempt, newest first, and can be narrowed down', async () => {
  interface Log {
    fetches: { id: number; subject: string; outcome: string; problem: string | null }[];
  }
  const { fetches } = await json<Log>('log', '--subject', DAY);
  expect([...new Set(fetches.map(({ outcome, problem }) => problem ?? outcome))]).toEqual([
    'published',
    'changed_shape',
    'not_published',
    'bot_wall',
  ]);
  const published = await json<Log>('log', '--source', 'exchange', '--outcome', 'published', '--limit', '2');
  expect(published.fetches).toHaveLength(2);
  expect((await cli('log', '--outcome', 'failed')).stdout).toMatch(
    new RegExp(`exchange +${DAY} +bot_wall +0 +0 +0 +127\\.0\\.0\\.1`),
  );
});

test('try shows the first rows of a source that is not declared, imports nothing, and names what is wrong', async () => {
  const before = await own.datasets.getCurrentDataset({}, { requestId: 'req_test' });
  const file = await written('try.json', declared('new'));
  const { code, stdout } = await cli('try', file, '--day', DAY, '--rows', '2');
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/QAAX[^]+QABX[^]+30 rows from .+Nothing was imported/),
  ]);
  expect(await json('try', file, '--day', DAY, '--rows', '2')).toMatchObject({ rows_in_all: 30 });
  const wrong = await cli('try', await written('wrong.json', declared('Wrong', { due_at: 'evening' })));
  expect(wrong).toMatchObject({ code: 1, stdout: '' });
  expect(wrong.stderr).toMatch(/name[^]*due_at/);
  exchange.quirks.set(DAY, ['a bot wall']);
  const walled = await cli('try', file, '--day', DAY);
  expect([walled.code, walled.stderr]).toEqual([1, expect.stringContaining('bot_wall: ')]);
  expect(await own.datasets.getCurrentDataset({}, { requestId: 'req_test' })).toMatchObject({
    dataset: { version: before.dataset!.version },
  });
});

test('try finds what a definition names beside its file, from wherever it runs', async () => {
  await written('mapping.json', {});
  await written('bars.csv', 'Kode');
  const source = { format: 'mapping', mapping: 'mapping.json', from: { file: 'bars.csv' } };
  const file = await written('relative.json', declared('relative', source));
  const { stderr } = await cli('try', file);
  expect(stderr).toMatch(/mapping/);
  expect(stderr).not.toMatch(/cannot be read/);
});

test.each<[code: number, message: string, ...words: string[]]>([
  [1, 'There is no source unknown. Declared: exchange.', 'run', 'unknown'],
  [1, 'There is no source unknown. Declared: exchange.', 'pause', 'unknown'],
  [1, 'there is no trading day', 'run', 'exchange', '--from', '2024-06-29', '--to', '2024-06-30'],
  [2, '--to needs --from', 'run', 'exchange', '--to', '2024-06-28'],
  [2, 'must be an existing day', 'run', 'exchange', '--from', '2024-06-31'],
  [2, 'published, unchanged, failed', 'log', '--outcome', 'lost'],
  [2, 'cannot be read', 'try', '/no/such/file.json'],
])('exit code %i and "%s" for a mistake', async (code, message, ...words) => {
  expect(await cli(...words)).toMatchObject({
    code,
    stdout: '',
    stderr: expect.stringContaining(message) as string,
  });
});

test('without a feed that answers, the exit code is 3', async () => {
  const elsewhere = await makeFolder();
  await writeFleetFile(elsewhere, { keys: '127.0.0.1:9', market_data: own.address });
  expect((await runCli(['feed', 'status'], { env: { STATE_DIR: elsewhere } })).code).toBe(3);
});
