import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, onTestFailed, test } from 'vitest';
import type { RunFinished } from '#proto/saring/events/v1/runs.ts';
import { Reconciliation, UsageLedger } from '#services/models/usage-records/reconciliation.ts';
import { UsageRecords } from '#services/models/usage-records/usage-records.ts';
import { systemClock as clock } from '#foundation/clock.ts';
import { testRuns } from '#support/services/test-runs.ts';
import { TestUsage } from '#support/services/test-usage.ts';
import { identityOf, NO_TLS } from '#support/processes/service-process.ts';
import type { RunRow } from '#services/models/store/tables.ts';

const runs = testRuns();
const usage = new TestUsage();
let ledger: UsageLedger;

beforeAll(async () => {
  await usage.startServers();
  await usage.startService({ NATS_URL: runs.natsServer.url });
  ledger = new UsageLedger(usage.service.address, NO_TLS, identityOf('models'));
});
afterAll(async () => {
  ledger?.close();
  await usage.stop();
});

interface Compared {
  runs: 'all' | 'recent';
  checked: number;
  missing: number;
  stale: number;
  repaired: number;
  ms: number;
}

const stops: (() => Promise<void>)[] = [];
const stopComparing = async () => {
  for (const stop of stops.splice(0)) await stop();
};
afterEach(stopComparing);

/** Starts repeated comparisons, as a new process does. Returns a function that reads the log of the comparisons. */
function compare(settleMs = 0): () => Compared[] {
  const logged: (Compared & { msg: string })[] = [];
  const sink = new Writable({
    write: (line: Buffer, _encoding, done) => {
      logged.push(JSON.parse(line.toString()) as Compared & { msg: string });
      done();
    },
  });
  const log = pino(sink);
  const records = new UsageRecords({ js: runs.worker.js, store: runs.store, log });
  const deps = { store: runs.store, usage: records, ledger, jsm: runs.worker.jsm, clock, log };
  stops.push(new Reconciliation({ ...deps, pauseMs: 200, settleMs }).start());
  onTestFailed(() => console.error('log of the comparisons:', logged));
  return () => logged.filter(({ msg }) => msg === 'usage ledger compared with the runs on record');
}

/** Runs comparisons until none finds a difference. */
async function repairEverything(): Promise<void> {
  const compared = compare();
  await expect.poll(() => compared().at(-1)).toMatchObject({ missing: 0, stale: 0 });
  await stopComparing();
}

/** Submits runs and waits until they have ended and are in the ledger. `read` is the dataset that their worker reports. */
async function recordedRuns(count: number, read: Partial<RunFinished> = {}): Promise<RunRow[]> {
  const accepted = await Promise.all(Array.from({ length: count }, () => runs.accept()));
  for (const run of accepted) await runs.reportEnd(run, 'succeeded', undefined, read);
  await expect.poll(() => statesOf(accepted).catch(() => [])).toEqual(accepted.map(() => 'succeeded'));
  return accepted;
}

/** The states of these runs in the ledger, as every reader sees them. */
async function statesOf(wanted: RunRow[]): Promise<(string | undefined)[]> {
  const response = await usage.sql.query({
    query: 'SELECT event_id, status FROM usage.event FINAL WHERE event_id IN {ids:Array(String)}',
    query_params: { ids: wanted.map(({ event_id }) => event_id) },
    format: 'JSONEachRow',
  });
  const rows = await response.json<{ event_id: string; status: string }>();
  return wanted.map(({ event_id }) => rows.find((row) => row.event_id === event_id)?.status);
}

/** Deletes rows of these runs from the ledger, as a power cut may. */
async function lose(lost: RunRow[]): Promise<void> {
  await usage.sql.command({
    query: 'ALTER TABLE usage.event DELETE WHERE event_id IN {ids:Array(String)}',
    query_params: { ids: lost.map(({ event_id }) => event_id) },
    clickhouse_settings: { mutations_sync: '1' },
  });
}

/**
 * Restores the earlier state of these runs in the ledger. Deletes the later state first, because a merge would keep that one.
 */
async function loseEnds(lost: RunRow[]): Promise<void> {
  const response = await usage.sql.query({
    query: 'SELECT * FROM usage.event FINAL WHERE event_id IN {ids:Array(String)}',
    query_params: { ids: lost.map(({ event_id }) => event_id) },
    format: 'JSONEachRow',
  });
  const rows = await response.json<object>();
  await lose(lost);
  await usage.sql.insert({
    table: 'usage.event',
    values: rows.map((row) => ({ ...row, status: 'started', state_version: 1 })),
    format: 'JSONEachRow',
  });
}

test('the first comparison restores missing and stale ledger rows of ended runs', async () => {
  const recorded = await recordedRuns(12, { dataset_version: 'real-20260930-1', dataset_kind: 'real' });
  const [missing, stale] = [recorded.slice(0, 4), recorded.slice(4, 7)];
  await lose(missing);
  await loseEnds(stale);
  expect((await statesOf(recorded)).slice(0, 8)).toEqual([
    ...Array<undefined>(4),
    'started',
    'started',
    'started',
    'succeeded',
  ]);
  const compared = compare();
  await expect.poll(() => compared().length).toBeGreaterThan(0);
  expect(compared()[0]).toMatchObject({ runs: 'all', missing: 4, stale: 3, repaired: 7 });
  expect(compared()[0]!.checked).toBeGreaterThanOrEqual(12);
  expect(await statesOf(recorded)).toEqual(recorded.map(() => 'succeeded'));
  const kinds = `SELECT dataset_version, dataset_kind, toUInt32(count()) AS runs FROM usage.run_v3 GROUP BY ALL`;
  expect(await usage.row(kinds)).toEqual({
    dataset_version: 'real-20260930-1',
    dataset_kind: 'real',
    runs: 12,
  });
  await expect.poll(() => compared().length).toBeGreaterThan(1);
  expect(compared()[1]).toMatchObject({ runs: 'recent', missing: 0, stale: 0, repaired: 0 });
});

test('later losses are restored too, and a ClickHouse restart triggers a comparison of all runs', async () => {
  const recorded = await recordedRuns(3);
  const compared = compare();
  await expect.poll(() => compared().length).toBeGreaterThan(1);
  await lose(recorded);
  await expect.poll(() => statesOf(recorded)).toEqual(recorded.map(() => 'succeeded'));
  const before = compared().length;
  await usage.clickhouse.kill9();
  await usage.clickhouse.start();
  await expect
    .poll(() =>
      compared()
        .slice(before)
        .map((one) => one.runs),
    )
    .toContain('all');
});

test('the comparison does not count events that wait in the stream during a ClickHouse outage as lost', async () => {
  await repairEverything();
  const accepted = await recordedRuns(1);
  await usage.clickhouse.kill9();
  for (let run = 0; run < 3; run++) accepted.push(await runs.accept());
  for (const run of accepted.slice(1)) await runs.reportEnd(run, 'succeeded');
  await runs.untilReportsAreApplied();
  const compared = compare(3_000);
  await usage.clickhouse.start();
  await expect.poll(() => statesOf(accepted).catch(() => [])).toEqual(accepted.map(() => 'succeeded'));
  await expect.poll(() => compared().length).toBeGreaterThan(2);
  expect(compared().filter(({ missing, stale }) => missing + stale > 0)).toEqual([]);
});
