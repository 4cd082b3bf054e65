import { pino } from 'pino';
import { describe, expect, test, vi } from 'vitest';
import {
  RunArtefact,
  RunHeartbeat,
  type RecordedPicks,
  type RunFinished,
} from '#proto/saring/events/v1/runs.ts';
import { BackfillDayEnded } from '#proto/saring/events/v1/backfills.ts';
import { walkForwardEvidence } from '#models/results/evidence.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { Jobs } from '#services/models/runs/jobs.ts';
import { LiveTier, modelOfRun } from '#services/models/nats/live-tier.ts';
import { NatsPresence } from '#platform/nats/nats-presence.ts';
import { RESULT_LIMITS } from '#platform/nats/streams.ts';
import { ResultCeiling } from '#services/models/runs/result-ceiling.ts';
import { systemClock } from '#foundation/clock.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { API_TIMEOUT_MS } from '#platform/nats/connection.ts';
import { HANGS_AFTER_MS } from '#support/hangs.ts';
import { testRuns } from '#support/services/test-runs.ts';
import { recordedPicks } from '#support/services/record.ts';
import { IN_TIME } from '#support/hangs.ts';
import type { RunRow } from '#services/models/store/tables.ts';

const own = testRuns();
const silent = createLogger('test', 'silent');

/** The gateway's default deadline. A client that is answered later has already received 503. */
const GATEWAY_WAITS_MS = 5_000;

/** The jobs of another process, and the questions to NATS that it gave up, each after `API_TIMEOUT_MS`. */
function jobsElsewhere() {
  const unanswered: string[] = [];
  const log = pino({}, { write: (line) => unanswered.push(line) });
  const { jsm, connection } = own.worker;
  const live = new LiveTier({ jsm, nats: new NatsPresence(connection), log });
  const jobs = new Jobs({
    live,
    clock: systemClock,
    evidence: { of: walkForwardEvidence },
    resultRetentionMs: RESULT_LIMITS.retentionMs,
  });
  return { jobs, unanswered };
}

describe('a worker report', () => {
  test('wakes watchers in every process at once, and the watch ends with the run', async () => {
    const run = await own.accept();
    const seen: [string, number][] = [];
    const watching = (async () => {
      for await (const row of own.otherRuns.watch(run.job_id, 'key_a', new AbortController().signal)) {
        seen.push([row.status, performance.now()]);
      }
    })();
    await vi.waitFor(() => expect(seen).toHaveLength(1), IN_TIME);
    const reportedAt = performance.now();
    await own.reportStart(run);
    await vi.waitFor(() => expect(seen).toHaveLength(2), IN_TIME);
    await own.reportEnd(run, 'succeeded');
    await watching;
    expect(seen.map(([status]) => status)).toEqual(['queued', 'running', 'succeeded']);
    expect(seen[2]![1] - reportedAt).toBeLessThan(HANGS_AFTER_MS);
  });

  test('is no longer watched once the caller leaves', async () => {
    const run = await own.accept();
    const gone = new AbortController();
    setTimeout(() => gone.abort(), 100);
    const begun = performance.now();
    for await (const row of own.runs.watch(run.job_id, 'key_a', gone.signal))
      expect(row.status).toBe('queued');
    expect(performance.now() - begun).toBeLessThan(HANGS_AFTER_MS);
  });

  test('may arrive in any order and twice: the first end counts and is recorded once', async () => {
    const run = await own.accept();
    await own.reportEnd(run, 'succeeded');
    await own.untilStatus(run, 'succeeded');
    await own.reportStart(run);
    await own.reportEnd(run, 'failed');
    await own.reportEnd(run, 'succeeded');
    const recorded = async () => (await own.usageOf(run)).map((event) => event.status);
    await vi.waitFor(async () => expect(await recorded()).toContain('succeeded'), IN_TIME);
    await own.untilReportsAreApplied();
    expect(await recorded()).toEqual(['started', 'succeeded']);
    expect((await own.usageOf(run))[1]).toMatchObject({
      duration_seconds: 0.5,
      summary: { tickers: ['BBCA'] },
    });
    expect(await own.rowOf(run)).toMatchObject({ status: 'succeeded', pick_count: 1, tickers: ['BBCA'] });
  });
});

describe('the row and the usage event of an ended run', () => {
  const VERSION = 'synthetic-20260930-1';
  const READ = { dataset_version: VERSION, dataset_kind: 'synthetic' };
  const ended = async (status: string, change: Partial<RunFinished>, picks?: RecordedPicks) => {
    const run = await own.accept();
    await own.reportEnd(run, status, picks, change);
    await vi.waitFor(async () => expect(await own.usageOf(run)).toHaveLength(2), IN_TIME);
    const [started, end] = await own.usageOf(run);
    expect(started).toMatchObject({ dataset_version: undefined, error_code: undefined });
    return { row: await own.rowOf(run), event: end };
  };

  test('name the dataset that it read, and its error', async () => {
    const good = await ended('succeeded', READ);
    expect(good.row).toMatchObject({ ...READ, error_code: null });
    expect(good.event).toMatchObject({ ...READ, error_code: undefined });
    const bad = await ended('failed', { ...READ, error_code: 'timeout' });
    for (const told of [bad.row, bad.event]) expect(told).toMatchObject({ ...READ, error_code: 'timeout' });
    const lost = await ended('interrupted', {});
    expect(lost.row).toMatchObject({ dataset_version: null, dataset_kind: null, error_code: 'interrupted' });
    expect(lost.event).toMatchObject({ dataset_kind: undefined, error_code: 'interrupted' });
  });

  test('lack what a worker of an earlier version did not report, except the kind beside recorded picks', async () => {
    const unknown = { dataset_version: VERSION, dataset_kind: undefined, error_code: undefined };
    expect((await ended('succeeded', { dataset_version: VERSION })).event).toMatchObject(unknown);
    expect((await ended('failed', { dataset_version: VERSION })).event).toMatchObject(unknown);
    const picks = recordedPicks([]);
    expect((await ended('succeeded', { dataset_version: VERSION }, picks)).event).toMatchObject(READ);
  });
});

test('a run without heartbeats is interrupted, one with heartbeats is not', async () => {
  own.tradingDays = ['2026-09-29', '2026-09-30'];
  const [dead, alive] = [await own.accept(), await own.accept()];
  const beat = RunHeartbeat.encode({ worker_id: 'worker_test', job_ids: [alive.job_id] }).finish();
  const beating = setInterval(() => own.worker.connection.publish(subjects.runHeartbeats, beat), 2_000);
  for (const run of [dead, alive]) await own.reportStart(run);
  await own.untilStatus(dead, 'interrupted');
  expect((await own.rowOf(alive)).status).toBe('running');
  clearInterval(beating);
  const job = await own.parts.jobs.describe(await own.rowOf(dead));
  expect(job).toMatchObject({
    source: 'ledger',
    params: { analysis_date: '2026-09-30' },
    summary: { pick_count: 0, tickers: [], target_date: '2026-09-30' },
    error_message: expect.stringMatching(/jalankan ulang/) as string,
  });
  await own.reportEnd(alive, 'failed');
  await own.reportEnd(dead, 'succeeded');
  await own.untilStatus(alive, 'failed');
  expect((await own.rowOf(dead)).status).toBe('interrupted');
});

async function finished(status: string): Promise<RunRow> {
  const run = await own.accept();
  await own.reportEnd(run, status);
  await own.untilStatus(run, status);
  return own.rowOf(run);
}

const hold = (run: RunRow, text?: string) => own.hold(run, text);

describe('the trained model of a run', () => {
  const MODEL = { onnx: Buffer.from([1, 2, 255]), fingerprint: 'f00d', dataset_version: 'real-20240628-1' };
  const holdModel = ({ job_id }: RunRow) =>
    own.worker.js.publish(
      subjects.artefact(job_id),
      RunArtefact.encode({ explanation: Buffer.of(), job_id, ...MODEL }).finish(),
    );
  const refusal = (run: RunRow, message: RegExp, code = 'not_found') =>
    expect(modelOfRun(run, own.parts.live)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message) as string,
    });

  test('is available exactly as long as the result of the run', async () => {
    const run = await finished('succeeded');
    await holdModel(run);
    await refusal(run, /no model of this job/);
    await hold(run, '{}');
    expect(await modelOfRun(run, own.parts.live)).toMatchObject(MODEL);
    await own.worker.jsm.streams.purge('RESULTS');
    await refusal(run, /kept as long as its result/);
    await refusal(await own.accept(), /has not ended/);
  });

  test('is not reported as gone while NATS cannot answer', async () => {
    const run = await finished('succeeded');
    await Promise.all([holdModel(run), hold(run, '{}')]);
    await own.natsServer.freeze();
    try {
      await refusal(run, /at the moment/, 'model_unavailable');
    } finally {
      own.natsServer.thaw();
    }
    await vi.waitFor(async () => expect(await modelOfRun(run, own.parts.live)).toMatchObject(MODEL), IN_TIME);
  });
});

describe('a finished job', () => {
  test('that failed has no picks on its analysis day, and an unfinished one has no summary', async () => {
    own.tradingDays = ['2026-09-29', '2026-09-30'];
    const run = await finished('failed');
    const summary = { pick_count: 0, tickers: [], target_date: '2026-09-30' };
    const params = { ...run.params, analysis_date: '2026-09-30' };
    expect(await own.parts.jobs.describe(run)).toMatchObject({ source: 'ledger', summary, params });
    expect(await own.parts.jobs.describe(await own.accept())).toMatchObject({ summary: undefined });
  });

  test('names the day of its result as the analysed day, as does its usage record', async () => {
    own.tradingDays = ['2026-09-29'];
    const run = await own.accept();
    expect(run.params['analysis_date']).not.toBe('2026-09-30');
    await own.reportEnd(run, 'succeeded');
    await own.untilStatus(run, 'succeeded');
    const params = { ...run.params, analysis_date: '2026-09-30' };
    const job = await own.parts.jobs.describe(await own.rowOf(run));
    expect(job).toMatchObject({ params, summary: { target_date: '2026-09-30' } });
    expect(Object.keys(job.params!)).toEqual(Object.keys(run.params));
    await vi.waitFor(async () => expect(await own.usageOf(run)).toHaveLength(2), IN_TIME);
    expect((await own.usageOf(run)).map((event) => event.params)).toEqual([
      { ...run.params, analysis_date: '2026-09-29' },
      params,
    ]);
  });

  test('is answered from its row while NATS hangs, and has its result afterwards', async () => {
    const [succeeded, failed, open] = [
      await finished('succeeded'),
      await finished('failed'),
      await own.accept(),
    ];
    await hold(succeeded, '{"pick_count":1}');
    const fromTheRow = { source: 'ledger', result_available: false, summary: { tickers: ['BBCA'] } };
    const { jobs, unanswered } = jobsElsewhere();
    await own.natsServer.freeze();
    try {
      const [single, list] = await Promise.all([
        jobs.describe(succeeded),
        jobs.describeAll([open, failed, succeeded]),
      ]);
      expect(unanswered.length, 'each answer waits for one question').toBeLessThanOrEqual(2);
      expect(API_TIMEOUT_MS).toBeLessThan(GATEWAY_WAITS_MS - 1_000);
      expect(single).toMatchObject({ status: 'succeeded', ...fromTheRow });
      expect(list).toMatchObject([{ status: 'queued', source: 'live' }, { status: 'failed' }, fromTheRow]);
    } finally {
      own.natsServer.thaw();
    }
    const live = { source: 'live', result_available: true };
    const isBack = async () => expect(await jobs.describe(succeeded)).toMatchObject(live);
    await vi.waitFor(isBack, IN_TIME);
  });

  test('is answered from its row at once while NATS is down', async () => {
    const run = await finished('succeeded');
    const { jobs, unanswered } = jobsElsewhere();
    await own.natsServer.kill9();
    try {
      const gone = { source: 'ledger', result_available: false };
      await vi.waitFor(async () => {
        unanswered.length = 0;
        expect(await jobs.describe(run)).toMatchObject(gone);
        expect(await jobs.describeAll([run])).toMatchObject([gone]);
        expect(unanswered, 'nothing is asked once the loss is noticed').toEqual([]);
      }, IN_TIME);
    } finally {
      await own.natsServer.start();
    }
  });
});

test('a backfill with a day that no worker could run has failed, says how many, and keeps its pages', async () => {
  const days = ['2024-06-27', '2024-06-28'];
  const backfill_id = await own.writeBackfill(days);
  const page = { backfill_id, english: [], tickers: [] };
  const texts = { error_message: undefined, error_english: undefined };
  const ended: BackfillDayEnded[] = [
    { ...page, ...texts, as_of: days[0]!, dataset_version: 'v1', result_json: Buffer.from('{}') },
    {
      ...page,
      as_of: days[1]!,
      dataset_version: undefined,
      result_json: undefined,
      error_message: 'x',
      error_english: 'x',
    },
  ];
  const report = async (day: BackfillDayEnded) => {
    await own.worker.js.publish(subjects.backfillPage(backfill_id), BackfillDayEnded.encode(day).finish());
  };
  // NATS has just come back.
  for (const day of ended) await vi.waitFor(() => report(day), IN_TIME);
  const row = () =>
    own.database
      .selectFrom('backfill')
      .selectAll()
      .where('backfill_id', '=', backfill_id)
      .executeTakeFirstOrThrow();
  await vi.waitFor(async () => expect((await row()).status).toBe('failed'), IN_TIME);
  expect((await row()).error_english).toBe(
    '1 of 2 days could not be run. The results of the other days remain.',
  );
});

test('the end of a run, and not its start, has the number of live results looked at', async () => {
  const run = await own.accept();
  const looks = vi.spyOn(ResultCeiling.prototype, 'keep');
  try {
    await own.reportStart(run);
    await own.untilStatus(run, 'running');
    await own.untilReportsAreApplied();
    expect(looks).not.toHaveBeenCalled();
    await own.reportEnd(run, 'succeeded');
    await own.untilReportsAreApplied();
    expect(looks).toHaveBeenCalledOnce();
  } finally {
    looks.mockRestore();
  }
});

test('a burst of one key removes its own live results and none of another key', async () => {
  const results = new ResultCeiling({ live: own.parts.live, store: own.store, log: silent, ceiling: 6 });
  const before = await own.parts.live.jobs();
  for (const jobId of before) await own.parts.live.forget(jobId);
  const of = async (api_key_id: string, count: number) => {
    const runs: RunRow[] = [];
    for (let i = 0; i < count; i++) {
      const run = await own.submit({ api_key_id });
      await hold(run, '{}');
      runs.push(run);
    }
    return runs.map(({ job_id }) => job_id);
  };
  const quiet = await of('key_quiet', 2);
  const loud = await of('key_loud', 9);
  await results.keep();
  const held = await own.parts.live.jobs();
  expect(held.size).toBe(6);
  expect(quiet.filter((jobId) => held.has(jobId))).toEqual(quiet);
  expect(loud.filter((jobId) => held.has(jobId))).toHaveLength(4);
});
