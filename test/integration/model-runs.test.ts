import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  RunFinished,
  RunHeartbeat,
  RunRequested,
  RunResult,
  RunStarted,
} from '#proto/saring/events/v1/runs.ts';
import { UsageRecorded } from '#proto/saring/events/v1/usage.ts';
import { systemClock as clock } from '#shared/clock.ts';
import { randomId } from '#shared/ids.ts';
import { createLogger } from '#shared/logger.ts';
import { connectNats, type Nats } from '#shared/nats/connection.ts';
import { subjects } from '#shared/nats/subjects.ts';
import { openPostgres } from '#shared/postgres.ts';
import { PrivateServer } from '#support/private-server.ts';
import { ownServers } from '#support/servers.ts';
import { startBackground } from '#services/models/background.ts';
import { Jobs } from '#services/models/jobs.ts';
import { LiveTier } from '#services/models/live-tier.ts';
import { NatsPresence } from '#services/models/nats-presence.ts';
import { RunRequests } from '#services/models/run-requests.ts';
import { RunWatchers } from '#services/models/run-watchers.ts';
import { Runs } from '#services/models/runs.ts';
import { migrations } from '#services/models/store/migrations/index.ts';
import { RunStore, type RunRow } from '#services/models/store/run-store.ts';
import type { ModelsTables } from '#services/models/store/tables.ts';
import { UsageRecords } from '#services/models/usage-records.ts';

const log = createLogger('test', 'silent');
const servers = ownServers();
const stops: (() => unknown)[] = [];
let natsServer: PrivateServer;
/** As a worker sees it. */
let worker: Nats;
let store: RunStore;
let runs: Runs;
let jobs: Jobs;
/** A second process of the service. */
let otherRuns: Runs;

beforeAll(async () => {
  natsServer = await PrivateServer.nats();
  const database = await openPostgres<ModelsTables>({
    ...{ url: servers.databaseUrl, schema: 'models', migrations, log },
  });
  store = new RunStore(database);
  worker = await connectNats(natsServer.url, 'worker', log);
  const [first, second] = [await startInstance(), await startInstance()];
  [runs, otherRuns] = [first.runs, second.runs];
  jobs = new Jobs({ live: new LiveTier(first.nats.jsm), clock });
  stops.push(() => database.destroy());
});
afterAll(async () => {
  for (const stop of stops) await stop();
  await worker.connection.close();
  await natsServer.remove();
});

async function startInstance(): Promise<{ runs: Runs; nats: Nats }> {
  const nats = await connectNats(natsServer.url, 'models', log);
  const watchers = new RunWatchers(nats.connection);
  const usage = new UsageRecords({ js: nats.js, store, log });
  const requests = new RunRequests({
    js: nats.js,
    nats: new NatsPresence(nats.connection),
    store,
    clock,
    log,
  });
  const stop = startBackground({ nats, store, requests, usage, watchers, clock, log, retentionDays: 0 });
  stops.push(async () => {
    await stop();
    await nats.connection.close();
  });
  const dates = { clock, pin: '' };
  return { runs: new Runs({ store, requests, usage, watchers, dates, newId: randomId }), nats };
}

const accept = () =>
  runs.submit({
    ...{ model_id: 'confluence_filter', params: { lookback: 3 }, view: 'full' },
    ...{ api_key_id: 'key_a', end_user: 'alice', channel: 'api', request_id: 'req_1' },
  });
const rowOf = (run: RunRow) => runs.get(run.job_id, 'key_a');

async function reportStart({ job_id }: RunRow): Promise<void> {
  const event = { job_id, worker_id: 'worker_test', started_at: new Date() };
  await worker.js.publish(subjects.runStarted(job_id), RunStarted.encode(event).finish());
}

async function reportEnd({ job_id }: RunRow, status: string): Promise<void> {
  const event: RunFinished = {
    ...{ job_id, status, started_at: new Date(Date.now() - 500), finished_at: new Date() },
    summary:
      status === 'succeeded' ? { pick_count: 1, tickers: ['BBCA'], target_date: '2026-09-30' } : undefined,
    error_message: status === 'failed' ? 'Data belum lengkap.' : undefined,
  };
  await worker.js.publish(subjects.runFinished(job_id), RunFinished.encode(event).finish());
}

/** The messages a stream holds, oldest first. */
async function held(stream: string): Promise<{ msgId: string; data: Uint8Array }[]> {
  const { first_seq, last_seq } = (await worker.jsm.streams.info(stream)).state;
  const messages = [];
  for (let seq = first_seq; seq <= last_seq; seq++) {
    const message = await worker.jsm.streams.getMessage(stream, { seq });
    if (message) messages.push({ msgId: message.header.get('Nats-Msg-Id'), data: message.data });
  }
  return messages;
}

const requestsOf = async (run: RunRow) =>
  (await held('RUNS'))
    .filter(({ msgId }) => msgId === run.job_id)
    .map(({ data }) => RunRequested.decode(data));
const usageOf = async (run: RunRow) =>
  (await held('USAGE'))
    .filter(({ msgId }) => msgId.startsWith(`${run.event_id}.`))
    .map(({ data }) => UsageRecorded.decode(data));
const untilStatus = (run: RunRow, status: string, timeout = 5_000) =>
  vi.waitFor(async () => expect((await rowOf(run)).status).toBe(status), { timeout, interval: 50 });

describe('an accepted run', () => {
  test('stands in the table, before the workers under its job id, and in the usage stream as started', async () => {
    const run = await accept();
    const { analysis_date, ...params } = run.params;
    expect(run).toMatchObject({ status: 'queued', api_key_id: 'key_a' });
    expect(params).toMatchObject({ lookback: 3, min_signals: 2, seller_filter: true });
    expect(analysis_date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(await requestsOf(run)).toMatchObject([{ job_id: run.job_id, params: run.params, view: 'full' }]);
    await vi.waitFor(async () => expect(await usageOf(run)).toHaveLength(1));
    expect((await usageOf(run))[0]).toMatchObject({
      ...{ event_id: run.event_id, status: 'started', api_key_id: 'key_a', end_user: 'alice' },
      ...{ channel: 'api', params: run.params, duration_seconds: 0, job_id: run.job_id, request_id: 'req_1' },
    });
  });

  test('whose process died before publishing anything is published by the sweeper', async () => {
    const { api_key_id, end_user, channel, model_id, view, params, request_id } = await accept();
    const lost = await store.insert({
      ...{ api_key_id, end_user, channel, model_id, view, params, request_id },
      ...{ job_id: randomId('job'), event_id: randomId('ue'), created_at: new Date() },
    });
    await vi.waitFor(async () => expect(await requestsOf(lost)).toHaveLength(1), { timeout: 10_000 });
    await vi.waitFor(async () => expect(await usageOf(lost)).toHaveLength(1), { timeout: 5_000 });
  });

  test('is found by its own key only', async () => {
    const run = await accept();
    await expect(runs.get(run.job_id, 'key_b')).rejects.toMatchObject({ code: 'job_not_found' });
    await expect(runs.get('job_\u0000', 'key_a')).rejects.toMatchObject({ code: 'job_not_found' });
  });
});

describe('what workers report', () => {
  test('may come in any order and twice: the first end counts and is recorded once', async () => {
    const run = await accept();
    await reportEnd(run, 'succeeded');
    await reportStart(run);
    await reportEnd(run, 'failed');
    await reportEnd(run, 'succeeded');
    await untilStatus(run, 'succeeded');
    await vi.waitFor(async () =>
      expect((await usageOf(run)).map((event) => event.status)).toContain('succeeded'),
    );
    await sleep(500);
    expect((await usageOf(run)).map((event) => event.status)).toEqual(['started', 'succeeded']);
    expect((await usageOf(run))[1]).toMatchObject({ duration_seconds: 0.5, summary: { tickers: ['BBCA'] } });
    expect(await rowOf(run)).toMatchObject({ status: 'succeeded', pick_count: 1, tickers: ['BBCA'] });
  });

  test('wakes watchers in every process at once, and the watch ends with the run', async () => {
    const run = await accept();
    const seen: [string, number][] = [];
    const watching = (async () => {
      for await (const row of otherRuns.watch(run.job_id, 'key_a', new AbortController().signal)) {
        seen.push([row.status, performance.now()]);
      }
    })();
    await vi.waitFor(() => expect(seen).toHaveLength(1));
    const reportedAt = performance.now();
    await reportStart(run);
    await vi.waitFor(() => expect(seen).toHaveLength(2));
    await reportEnd(run, 'succeeded');
    await watching;
    expect(seen.map(([status]) => status)).toEqual(['queued', 'running', 'succeeded']);
    expect(seen[2]![1] - reportedAt).toBeLessThan(900);
  });

  test('stops a watch when its caller goes', async () => {
    const run = await accept();
    const gone = new AbortController();
    setTimeout(() => gone.abort(), 100);
    const begun = performance.now();
    for await (const row of runs.watch(run.job_id, 'key_a', gone.signal)) expect(row.status).toBe('queued');
    expect(performance.now() - begun).toBeLessThan(900);
  });
});

test('a run without a sign of life becomes interrupted within 20 s, one that beats does not', async () => {
  const [dead, alive] = [await accept(), await accept()];
  const beat = RunHeartbeat.encode({ worker_id: 'worker_test', job_ids: [alive.job_id] }).finish();
  const beating = setInterval(() => worker.connection.publish(subjects.runHeartbeats, beat), 2_000);
  for (const run of [dead, alive]) await reportStart(run);
  await untilStatus(dead, 'interrupted', 20_000);
  expect((await rowOf(alive)).status).toBe('running');
  clearInterval(beating);
  const job = await jobs.describe(await rowOf(dead));
  expect(job).toMatchObject({
    source: 'ledger',
    error_message: expect.stringMatching(/jalankan ulang/) as string,
  });
  await reportEnd(alive, 'failed');
  await reportEnd(dead, 'succeeded');
  await untilStatus(alive, 'failed');
  expect((await rowOf(dead)).status).toBe('interrupted');
});

describe('a finished job', () => {
  async function finished(status: string): Promise<RunRow> {
    const run = await accept();
    await reportEnd(run, status);
    await untilStatus(run, status);
    return rowOf(run);
  }
  const hold = ({ job_id }: RunRow, text?: string) =>
    worker.js.publish(
      subjects.result(job_id),
      RunResult.encode({ job_id, result_json: text === undefined ? undefined : Buffer.from(text) }).finish(),
    );

  test('is live with its result while memory holds it, and from the ledger with its summary after', async () => {
    const run = await finished('succeeded');
    await hold(run, '{"pick_count":1}');
    const live = await jobs.describe(run);
    expect(live).toMatchObject({ source: 'live', result_available: true, duration_seconds: 0.5 });
    expect(live.result_json?.toString()).toBe('{"pick_count":1}');
    expect(await jobs.describeAll([run])).toMatchObject([{ source: 'live', result_available: true }]);
    await worker.jsm.streams.purge('RESULTS');
    const ledger = { source: 'ledger', result_available: false, summary: { tickers: ['BBCA'] } };
    expect(await jobs.describe(run)).toMatchObject(ledger);
    expect(await jobs.describeAll([run])).toMatchObject([ledger]);
  });

  test('that failed has a message and no result', async () => {
    const run = await finished('failed');
    await hold(run);
    expect(await jobs.describe(run)).toMatchObject({
      ...{ status: 'failed', source: 'live', result_available: false, error_message: 'Data belum lengkap.' },
    });
  });

  test('is model_unavailable while NATS hangs and may hold its result; others are answered', async () => {
    const [succeeded, failed, open] = [await finished('succeeded'), await finished('failed'), await accept()];
    natsServer.freeze();
    await sleep(100);
    try {
      const begun = performance.now();
      await expect(jobs.describe(succeeded)).rejects.toMatchObject({ code: 'model_unavailable' });
      await expect(jobs.describeAll([succeeded])).rejects.toMatchObject({ code: 'model_unavailable' });
      expect(performance.now() - begun).toBeLessThan(8_000);
      expect(await jobs.describe(failed)).toMatchObject({ status: 'failed', result_available: false });
      expect(await jobs.describe(open)).toMatchObject({ status: 'queued', source: 'live' });
    } finally {
      natsServer.thaw();
    }
  });
});

test('without NATS a run is accepted at once, and published and recorded when NATS is back', async () => {
  await natsServer.kill9();
  const begun = performance.now();
  const run = await accept();
  expect(performance.now() - begun).toBeLessThan(2_000);
  await natsServer.start();
  await vi.waitFor(async () => expect(await requestsOf(run)).toHaveLength(1), { timeout: 15_000 });
  await vi.waitFor(async () => expect(await usageOf(run)).toHaveLength(1), { timeout: 15_000 });
  await reportEnd(run, 'succeeded');
  await untilStatus(run, 'succeeded', 15_000);
});

describe('a submission is refused', () => {
  const submit = (change: object) =>
    runs.submit({
      ...{ model_id: 'confluence_filter', params: {}, view: 'full', request_id: 'req_1' },
      ...{ api_key_id: 'key_refused', end_user: 'alice', channel: 'api', ...change },
    });

  test.each([
    ['an unknown model', { model_id: 'backtest_v1' }, 'model_not_found'],
    ['a wrong parameter', { params: { lookback: 0 } }, 'invalid_request'],
    ['a view the model does not have', { view: 'compact' }, 'invalid_request'],
    ['a model without a screen', { model_id: 'recovery_v4' }, 'model_unavailable'],
    [
      'a wrong parameter of such a model',
      { model_id: 'recovery_v4', params: { horizon: 15 } },
      'invalid_request',
    ],
  ])('for %s, and leaves no trace', async (_, change, code) => {
    await expect(submit(change)).rejects.toMatchObject({ code });
    expect(await runs.newest('key_refused', 100)).toEqual([]);
  });

  test('as a list is for a limit outside 1 to 100', async () => {
    for (const limit of [0, 101]) {
      await expect(runs.newest('key_a', limit)).rejects.toMatchObject({ code: 'invalid_request' });
    }
  });
});
