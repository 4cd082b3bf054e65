import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { pollUntilFinal, submitRun, type JobBody } from '#support/rest/jobs.ts';
import { addDay, fileOfNextDay, stocksOfLastDay, type Stock } from '#support/markets/next-day.ts';
import { issueKey } from '#support/fleets/issued-keys.ts';
import { servedDataset } from '#support/rest/served-dataset.ts';
import { SteadyReader } from '#support/rest/steady-reader.ts';
import { own } from './fleet.ts';
import { IN_TIME } from '#support/hangs.ts';

interface Health {
  data_loaded: boolean;
  dataset: { version: string; last_date: string };
}
interface Result {
  as_of: string;
  diag: { dataset_version: string };
}
const health = async () => (await own.rest.get<Health>('/api/health')).body;
const versionOf = (job: JobBody) => (job.result as unknown as Result).diag.dataset_version;

/** What clients observed while a day was added. */
interface Switch {
  readers: SteadyReader[];
  states: Health[];
  before: Health['dataset'];
  after: Health['dataset'];
}

const SWITCHES = 2;
const submitted: string[] = [];

interface Observed {
  switches: Switch[];
  runs: JobBody[];
}
let observing: Promise<Observed> | undefined;
/** What every test of this file judges. The first one adds the days. */
const observed = () => (observing ??= observe());

async function observe(): Promise<Observed> {
  const switches: Switch[] = [];
  while (switches.length < SWITCHES) switches.push(await switchDay(await stocksOfLastDay(own.rest)));
  const runs = await Promise.all(submitted.map((job) => pollUntilFinal(own.rest, job)));
  return { switches, runs };
}

/** Adds a day while clients read the market and the health and submit runs. */
async function switchDay(traded: Stock[]): Promise<Switch> {
  const before = await servedDataset(own.rest);
  const file = await fileOfNextDay(before.last_date, traded, own.fleet.stateDir);
  const readers = await startReaders(traded[0]!.ticker);
  const states: Health[] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      states.push(await health());
      submitted.push((await submitRun(own.rest)).job_id);
      await sleep(100);
    }
    states.push(await health());
  })();
  try {
    const after = await addDay(own.fleet.stateDir, file);
    const seesDay = async () =>
      expect(versionOf(await submitRun(own.rest, {}, '?wait=30'))).toBe(after.version);
    await vi.waitFor(seesDay, IN_TIME);
    // Health is up to half a second old.
    await expect.poll(async () => (await health()).dataset.version).toBe(after.version);
    return { readers, states, before, after };
  } finally {
    isOver = true;
    await Promise.all([watching, ...readers.map((reader) => reader.stop())]);
  }
}

async function startReaders(ticker: string): Promise<SteadyReader[]> {
  const { base_url } = await own.fleet.file();
  const { key } = await issueKey(own.fleet.stateDir, 'data:read');
  return [`quotes?tickers=${ticker}`, `stocks/${ticker}`, 'market-overview', 'flows?flow_type=foreign'].map(
    (read) => new SteadyReader(`${base_url}/api/v1/data/${read}`, key),
  );
}

test('no read fails, and each reader sees the old version and then only the new one', async () => {
  for (const { readers, before, after } of (await observed()).switches) {
    for (const { failures, versions } of readers) {
      expect({ failures, versions }).toEqual({ failures: [], versions: [before.version, after.version] });
    }
  }
});

test('the data counts as loaded throughout', async () => {
  for (const { states, before, after } of (await observed()).switches) {
    expect(states.every(({ data_loaded }) => data_loaded)).toBe(true);
    const versions = new Set(states.map(({ dataset }) => dataset.version));
    expect([...versions]).toEqual([before.version, after.version]);
  }
});

test('a run names the version that it used', async () => {
  const { switches, runs } = await observed();
  const datasets = switches.flatMap(({ before, after }) => [before, after]);
  const lastDates = Object.fromEntries(datasets.map(({ version, last_date }) => [version, last_date]));
  for (const run of runs) {
    expect(run.status).toBe('succeeded');
    expect((run.result as unknown as Result).as_of).toBe(lastDates[versionOf(run)]);
  }
  expect(new Set(runs.map(versionOf))).toContain(switches[0]!.before.version);
});
