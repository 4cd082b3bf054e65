import fc from 'fast-check';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomId } from '#foundation/ids.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { openPostgres } from '#platform/postgres/open-postgres.ts';
import { ownServers } from '#support/servers/servers.ts';
import { RECORD_SECRET } from '#support/services/test-runs.ts';
import { createStores } from '#services/models/create-models.ts';
import {
  endOfCancelled,
  isFinal,
  isFinalState,
  ON_CANCEL,
  TRANSITIONS,
  type RunState,
} from '#services/models/store/run-states.ts';
import type { CancelledRuns } from '#services/models/store/cancelled-runs.ts';
import { migrations } from '#services/models/store/migrations/index.ts';
import type { NewRun } from '#services/models/store/insert-run.ts';
import type { RunEnd, RunStore } from '#services/models/store/run-store.ts';
import type { ModelsTables, RunRow } from '#services/models/store/tables.ts';

const servers = ownServers();
const T0 = new Date('2026-11-20T03:00:00Z');
const after = (seconds: number) => new Date(T0.getTime() + seconds * 1000);
let database: Kysely<ModelsTables>;
let store: RunStore;
let cancelled: CancelledRuns;

beforeAll(async () => {
  const log = createLogger('test', 'silent');
  database = await openPostgres({ url: servers.databaseUrl, schema: 'models', migrations, log });
  ({ store, cancelled } = createStores(database, RECORD_SECRET, log));
});
afterAll(() => database.destroy());

const NO_HURRY = () => 10_000;

async function accept(change: { api_key_id?: string; created_at?: Date } = {}): Promise<RunRow> {
  const run = await store.insert(newRun(change), NO_HURRY);
  return run!;
}

function newRun(change: { api_key_id?: string; created_at?: Date }): NewRun {
  return {
    job_id: randomId('job'),
    event_id: randomId('ue'),
    api_key_id: 'key_a',
    end_user: 'alice',
    channel: 'api',
    actor: 'key_a',
    model_id: 'confluence_filter',
    view: 'full',
    params: { min_signals: 2, lookback: 5, analysis_date: '2026-11-20' },
    request_id: randomId('req'),
    created_at: T0,
    ...change,
  };
}

const isDue = async (run: RunRow) =>
  (await store.unrecorded(after(1e6), 1e4)).some((due) => due.job_id === run.job_id);
const isWanted = async (run: RunRow, requestedBefore: Date) =>
  (await store.unrequested({ ofEachKey: 1e4, limit: 1e4, acceptedBefore: after(1e6), requestedBefore })).some(
    (due) => due.job_id === run.job_id,
  );

test('params keep the order in which they were written', async () => {
  const run = await accept();
  expect(Object.keys((await store.find(run.job_id, 'key_a'))!.params)).toEqual(Object.keys(run.params));
});

test('jobs are listed newest first, and by id when accepted at the same time', async () => {
  const runs: RunRow[] = [];
  for (const seconds of [1, 2, 2, 3])
    runs.push(await accept({ api_key_id: 'key_list', created_at: after(seconds) }));
  const expected = runs.toSorted(
    (a, b) => b.created_at.getTime() - a.created_at.getTime() || (a.job_id < b.job_id ? 1 : -1),
  );
  const ids = (rows: RunRow[]) => rows.map((row) => row.job_id);
  expect(ids(await store.newestOf('key_list', 100))).toEqual(ids(expected));
  expect(ids(await store.newestOf('key_list', 2))).toEqual(ids(expected.slice(0, 2)));
});

/** What may happen to a run: the reports of a worker, and a cancellation by its caller. */
const happening = fc.constantFrom('running', 'succeeded', 'failed', 'interrupted', 'cancel');
type Happening = RunEnd['status'] | 'running' | 'cancel';

function happen(job_id: string, what: Happening, i: number): Promise<RunRow | undefined> {
  if (what === 'cancel') return cancelled.cancel(job_id, after(i + 2));
  if (what === 'running') return store.start(job_id, after(1));
  return store.end(job_id, { status: what, finished_at: after(i + 2), pick_count: i });
}

test('reports and cancellations in any order and concurrency lead to one final end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 8 }), fc.boolean(), async (happenings, atOnce) => {
      const { job_id } = await accept();
      const applied: (RunRow | undefined)[] = [];
      if (atOnce) applied.push(...(await Promise.all(happenings.map((what, i) => happen(job_id, what, i)))));
      else for (const [i, what] of happenings.entries()) applied.push(await happen(job_id, what, i));

      const ends = applied.filter((row) => row !== undefined && isFinal(row.status));
      const mustEnd =
        happenings.some((what) => isFinalState(what)) || (!atOnce && happenings[0] === 'cancel');
      expect(ends.length).toBeLessThanOrEqual(1);
      if (mustEnd) expect(ends.length).toBe(1);
      const row = (await store.find(job_id, 'key_a'))!;
      if (ends[0]) expect(row).toEqual(ends[0]);
      else expect(row.status).toBe(happenings.includes('running') ? 'running' : 'queued');
      if (row.cancelled_at) expect(row.status).not.toBe('interrupted');
    }),
    { numRuns: 60 },
  );
});

test('sequential reports and cancellations follow the state table', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 8 }), async (happenings) => {
      const { job_id } = await accept();
      let [state, isCancelled]: [RunState, boolean] = ['queued', false];
      for (const [i, what] of happenings.entries()) {
        await happen(job_id, what, i);
        if (isFinal(state)) continue;
        if (what === 'cancel') [state, isCancelled] = [ON_CANCEL[state], true];
        else if (TRANSITIONS[state].includes(what))
          state = isCancelled && isFinalState(what) ? endOfCancelled(what) : what;
      }
      const row = (await store.find(job_id, 'key_a'))!;
      expect([row.status, row.cancelled_at !== null]).toEqual([state, isCancelled]);
      if (state === 'running') expect(row.cancel_due).toBe(isCancelled ? 'stop' : null);
    }),
    { numRuns: 40 },
  );
});

test('an end sets the start time if it has one, and otherwise keeps it', async () => {
  const [first, second] = [await accept(), await accept()];
  const end = { status: 'succeeded', finished_at: after(9) } as const;
  expect((await store.end(first.job_id, { ...end, started_at: after(4) }))?.started_at).toEqual(after(4));
  await store.start(second.job_id, after(3));
  expect((await store.end(second.job_id, { ...end, started_at: undefined }))?.started_at).toEqual(after(3));
});

describe('the sweeper publishes', () => {
  test('a run whose request was never published, or was published too long ago without a start', async () => {
    const run = await accept();
    expect(await isWanted(run, T0)).toBe(true);
    await store.markRequested(run.job_id, after(10));
    expect(await isWanted(run, after(10))).toBe(false);
    expect(await isWanted(run, after(40))).toBe(true);
    await store.start(run.job_id, after(41));
    expect(await isWanted(run, after(99))).toBe(false);
  });

  test('each usage state that the stream lacks, once', async () => {
    const run = await accept();
    expect(await isDue(run)).toBe(true);
    await store.markRecorded(run.job_id, 'started');
    expect(await isDue(run)).toBe(false);
    await store.start(run.job_id, after(1));
    expect(await isDue(run)).toBe(false);
    await store.end(run.job_id, { status: 'failed', finished_at: after(2) });
    expect(await isDue(run)).toBe(true);
    await store.markRecorded(run.job_id, 'failed');
    expect(await isDue(run)).toBe(false);
  });

  test('no `started` after the end was published', async () => {
    const run = await accept();
    await store.end(run.job_id, { status: 'succeeded', finished_at: after(2) });
    await store.markRecorded(run.job_id, 'succeeded');
    await store.markRecorded(run.job_id, 'started');
    expect(await isDue(run)).toBe(false);
  });
});

test('only old runs that ended and are recorded are removed', async () => {
  const key = { api_key_id: 'key_purge' };
  const [old, unrecorded, recent, open] = [
    await accept(key),
    await accept(key),
    await accept(key),
    await accept(key),
  ];
  for (const run of [old, recent]) {
    await store.end(run.job_id, { status: 'succeeded', finished_at: after(run === old ? 1 : 500) });
    await store.markRecorded(run.job_id, 'succeeded');
  }
  await store.end(unrecorded.job_id, { status: 'failed', finished_at: after(1) });
  while ((await store.purge(after(100), 10)) > 0);
  const left = (await store.newestOf('key_purge', 10)).map((run) => run.job_id);
  expect(left.toSorted()).toEqual([unrecorded, recent, open].map((run) => run.job_id).toSorted());
});

test('the comparison with the ledger covers runs that ended recently, however long ago they were accepted', async () => {
  const [old, ended] = [await accept({ created_at: after(0) }), await accept({ created_at: after(0) })];
  for (const run of [old, ended]) await store.start(run.job_id, after(1));
  await store.end(old.job_id, { status: 'interrupted', finished_at: after(2) });
  await store.end(ended.job_id, { status: 'interrupted', finished_at: after(10_000) });
  for (const run of [old, ended]) await store.markRecorded(run.job_id, 'interrupted');
  const span = { since: after(8_000), settledBefore: after(20_000), after: undefined };
  const recent = (await store.recorded(span, 1_000)).map(({ job_id }) => job_id);
  expect(recent).toContain(ended.job_id);
  expect(recent).not.toContain(old.job_id);
});
