import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test, vi } from 'vitest';
import { ownFleet } from '../support/fleets/broken-fleet.ts';
import { pollUntilFinal, submitRun, type JobBody } from '../support/fleets/jobs.ts';
import { addDay, fileOfNextDay, stocksOfLastDay, type Stock } from '../support/markets/next-day.ts';
import { issueKey } from '../support/fleets/issued-keys.ts';
import { SteadyReader } from '../support/fleets/steady-reader.ts';

const own = ownFleet({ SAMPLE_TICKERS: '150', SAMPLE_DAYS: '500' });

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
const switches: Switch[] = [];
const submitted: string[] = [];
let runs: JobBody[];

beforeAll(async () => {
  const stocks = await stocksOfLastDay(own.rest);
  while (switches.length < SWITCHES) switches.push(await switchDay(stocks));
  runs = await Promise.all(submitted.map((job) => pollUntilFinal(own.rest, job)));
});

/** Adds a day while clients read the market and the health and submit runs. */
async function switchDay(stocks: Stock[]): Promise<Switch> {
  const before = (await health()).dataset;
  const file = await fileOfNextDay(before.last_date, stocks, own.fleet.stateDir);
  const readers = await startReaders(stocks[0]!.ticker);
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
    await vi.waitFor(seesDay, { timeout: 60_000 });
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

test('no read fails, and each reader sees the old version and then only the new one', () => {
  for (const { readers, before, after } of switches) {
    for (const { failures, versions } of readers) {
      expect({ failures, versions }).toEqual({ failures: [], versions: [before.version, after.version] });
    }
  }
});

test('the data counts as loaded throughout', () => {
  for (const { states, before, after } of switches) {
    expect(states.every(({ data_loaded }) => data_loaded)).toBe(true);
    const versions = new Set(states.map(({ dataset }) => dataset.version));
    expect([...versions]).toEqual([before.version, after.version]);
  }
});

test('a run names the version that it used', () => {
  const datasets = switches.flatMap(({ before, after }) => [before, after]);
  const lastDates = Object.fromEntries(datasets.map(({ version, last_date }) => [version, last_date]));
  for (const run of runs) {
    expect(run.status).toBe('succeeded');
    expect((run.result as unknown as Result).as_of).toBe(lastDates[versionOf(run)]);
  }
  expect(new Set(runs.map(versionOf))).toContain(switches[0]!.before.version);
});
