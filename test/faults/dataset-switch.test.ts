import { writeFile } from 'node:fs/promises';
import { Agent, get as httpGet } from 'node:http';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ownFleet } from '#support/broken-fleet.ts';
import { idxDayFile } from '#support/idx-archive.ts';
import { pollUntilFinal, submitRun } from '#support/jobs.ts';
import { createKey, saring } from '#support/saring-cli.ts';

const own = ownFleet({ SAMPLE_TICKERS: '150', SAMPLE_DAYS: '500' });

const CONNECTIONS = 4;
const LONGEST_PAUSE_MS = 100;

interface Health {
  data_loaded: boolean;
  dataset: { version: string; last_date: string };
}
const health = async () => (await own.rest.get<Health>('/api/health')).body;

/** Reads one path over a connection of its own, again and again, until told to stop. */
class Reader {
  readonly versions: string[] = [];
  readonly failures: string[] = [];
  longestMs = 0;
  reads = 0;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #isOver = false;
  readonly #done: Promise<void>;

  constructor(url: string, key: string) {
    this.#done = this.#readAll(url, key);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#done;
    this.#agent.destroy();
  }

  async #readAll(url: string, key: string): Promise<void> {
    while (!this.#isOver) {
      const startedAt = performance.now();
      const { status, version } = await this.#read(url, key).catch((error: Error) => ({
        status: error.message,
        version: undefined,
      }));
      this.longestMs = Math.max(this.longestMs, performance.now() - startedAt);
      this.reads++;
      if (status !== 200 || !version) this.failures.push(`${status}`);
      else if (this.versions.at(-1) !== version) this.versions.push(version);
      // Faster readers would measure how they wait for each other.
      await sleep(5);
    }
  }

  #read(url: string, key: string): Promise<{ status: number | undefined; version: string | undefined }> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${key}` };
      const request = httpGet(url, { agent: this.#agent, headers }, (answer) => {
        answer.resume();
        const version = answer.headers['x-dataset-version'] as string | undefined;
        answer.once('end', () => resolve({ status: answer.statusCode, version }));
      });
      request.once('error', reject);
    });
  }
}

/** A file of one more day: every company at the close it had. */
async function nextDay(lastDate: string): Promise<{ date: string; file: string }> {
  const next = new Date(`${lastDate}T00:00:00Z`);
  do next.setUTCDate(next.getUTCDate() + 1);
  while (next.getUTCDay() % 6 === 0);
  const date = next.toISOString().slice(0, 10);
  const { body } = await own.rest.get<{ items: { ticker: string; close: number }[] }>(
    '/api/v1/data/nego?min_val=0&top_n=100',
  );
  const file = path.join(own.fleet.stateDir, 'day.csv');
  await writeFile(file, idxDayFile(body.items.map(({ ticker, close }) => ({ ticker, close, date }))));
  return { date, file };
}

test('a day is added without a failed read, a pause, or an answer of two versions', async () => {
  const before = await health();
  const { date, file } = await nextDay(before.dataset.last_date);
  const { base_url } = await own.fleet.file();
  const { key } = await createKey(own.fleet.stateDir, 'data:read', '--rate-limit', '1000000');
  const paths = ['/api/v1/data/market-overview', '/api/v1/data/nego/window?min_val=0'];
  const noiseNs = monitorEventLoopDelay({ resolution: 5 });
  noiseNs.enable();
  const readers = Array.from(
    { length: CONNECTIONS },
    (_, i) => new Reader(base_url + paths[i % paths.length]!, key),
  );
  const states: Health[] = [];
  const jobs: string[] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      states.push(await health());
      jobs.push((await submitRun(own.rest)).job_id);
      await sleep(100);
    }
  })();
  let added;
  try {
    await sleep(500);
    added = await saring(
      own.fleet.stateDir,
      'dataset',
      'import',
      file,
      '--add',
      '--kind',
      'synthetic',
      '--json',
    );
    await sleep(6_000);
  } finally {
    isOver = true;
    await Promise.all([watching, ...readers.map((reader) => reader.stop())]);
    noiseNs.disable();
  }
  expect(added.code, added.stderr).toBe(0);
  const { version } = (JSON.parse(added.stdout) as { dataset: { version: string } }).dataset;

  const switched = [before.dataset.version, version];
  for (const { failures, versions } of readers)
    expect({ failures, versions }).toEqual({ failures: [], versions: switched });
  expect(states.every((state) => state.data_loaded)).toBe(true);
  expect([...new Set(states.map((state) => state.dataset.version))]).toEqual(switched);

  const lastDates = { [before.dataset.version]: before.dataset.last_date, [version]: date };
  const runs = await Promise.all(jobs.map((job) => pollUntilFinal(own.rest, job)));
  for (const { status, result } of runs) {
    expect(status).toBe('succeeded');
    const { as_of, diag } = result as { as_of: string; diag: { dataset_version: string } };
    expect(as_of).toBe(lastDates[diag.dataset_version]);
  }
  expect(new Set(runs.map(({ result }) => (result as { as_of: string }).as_of)).size).toBe(2);

  // What keeps this process from turning keeps the others, too: it is the machine that is busy.
  const noiseMs = noiseNs.max / 1e6;
  const longestMs = Math.max(...readers.map((reader) => reader.longestMs));
  const reads = readers.reduce((sum, reader) => sum + reader.reads, 0);
  console.log(`${reads} reads, the longest took ${longestMs.toFixed(0)} ms; noise ${noiseMs.toFixed(0)} ms`);
  expect(longestMs).toBeLessThan(LONGEST_PAUSE_MS + noiseMs);
});
