import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { RunStarted } from '#proto/saring/events/v1/runs.ts';
import { RunClaims } from '#services/model-worker/run-claims.ts';
import { randomId } from '#foundation/ids.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { listenForRuns } from '#shared/life-signs/run-life-signs.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { CANCELLED as REASON } from '#models/inputs/run-errors.ts';
import { HANGS_AFTER_MS } from '#support/hangs.ts';
import { testRuns } from '#support/services/test-runs.ts';
import { IN_TIME } from '#support/hangs.ts';
import type { RunRow } from '#services/models/store/tables.ts';

const own = testRuns({ tellsOnce: true });

const CANCELLED = { status: 'failed', error_code: 'cancelled', error_message: REASON.in.id };

const cancel = (run: RunRow) => own.runs.cancel(run.job_id, 'key_a');

async function running(): Promise<RunRow> {
  const run = await own.accept();
  await own.reportStart(run);
  await own.untilStatus(run, 'running');
  return run;
}

/** Counts how often workers are told to give up the run. */
async function heardOf(run: RunRow): Promise<{ times: () => number }> {
  let times = 0;
  const subscription = own.worker.connection.subscribe(subjects.runCancelled, {
    callback: (_error, message) => {
      if (message.string() === run.job_id) times++;
    },
  });
  onTestFinished(() => subscription.unsubscribe());
  // The server has the subscription from here on.
  await own.worker.connection.flush();
  return { times: () => times };
}

/** What a worker finds when it receives the request for the run. */
async function foundByWorker({ job_id }: RunRow): Promise<string> {
  const log = createLogger('test', 'silent');
  const listener = listenForRuns(own.worker.connection, 'worker_late');
  const claims = new RunClaims({ nats: own.worker, listener, workerId: 'worker_late', log });
  try {
    const isOurs = await claims.claim(job_id, new Date(), new AbortController().signal);
    return isOurs ? 'its own' : await claims.otherWorkersRun(job_id);
  } finally {
    listener.stop();
  }
}

const isWithdrawn = async (run: RunRow) => expect((await own.rowOf(run)).withdrawn_at).not.toBeNull();

describe('a queued run that is cancelled', () => {
  test('ends at once, is recorded as failed, and wakes watchers in every process', async () => {
    const run = await own.accept();
    const seen: string[] = [];
    const watching = (async () => {
      for await (const row of own.otherRuns.watch(run.job_id, 'key_a', new AbortController().signal))
        seen.push(row.status);
    })();
    await vi.waitFor(() => expect(seen).toEqual(['queued']), IN_TIME);
    const begun = performance.now();
    expect(await cancel(run)).toMatchObject({ ...CANCELLED, finished_at: expect.any(Date) as Date });
    await watching;
    expect(performance.now() - begun).toBeLessThan(HANGS_AFTER_MS);
    expect(seen).toEqual(['queued', 'failed']);
    await vi.waitFor(async () => expect(await own.usageOf(run)).toHaveLength(2), IN_TIME);
    expect((await own.usageOf(run))[1]).toMatchObject({
      status: 'failed',
      duration_seconds: 0,
      summary: undefined,
      actor: 'key_a',
      error_code: 'cancelled',
    });
  });

  test('is in the ledger with a summary like other failed runs, whatever a late worker stores', async () => {
    own.tradingDays = ['2024-06-27', '2024-06-28'];
    const run = await cancel(await own.accept());
    const summary = { pick_count: 0, tickers: [], target_date: '2024-06-28' };
    const ended = { source: 'ledger', result_available: false, result_json: undefined, summary };
    for (const _ of ['ended', 'with a late result']) {
      const { jobs } = own.parts;
      expect(await jobs.describe(run)).toMatchObject(ended);
      expect(await jobs.describeAll([run])).toEqual([await jobs.describe(run)]);
      await own.hold(run);
    }
  });

  test('is dropped by the worker that receives its request', async () => {
    const run = await own.accept();
    await cancel(run);
    await vi.waitFor(() => isWithdrawn(run), IN_TIME);
    expect(await foundByWorker(run)).toBe('finished');
    expect(await own.rowOf(run)).toMatchObject(CANCELLED);
  });

  test('ends even if a worker has just taken it, and that worker is told to drop it', async () => {
    const job_id = randomId('job');
    const taken = { job_id, worker_id: 'worker_test', started_at: new Date() };
    await own.worker.js.publish(subjects.runStarted(job_id), RunStarted.encode(taken).finish());
    await own.untilReportsAreApplied();
    const run = await own.writeOnly(await own.accept(), { job_id });
    const heard = await heardOf(run);
    expect(await cancel(run)).toMatchObject(CANCELLED);
    await vi.waitFor(() => expect(heard.times()).toBeGreaterThan(0), IN_TIME);
    await own.reportEnd(run, 'succeeded');
    await vi.waitFor(() => isWithdrawn(run), IN_TIME);
    expect(await own.rowOf(run)).toMatchObject(CANCELLED);
  });
});

describe('a running run that is cancelled', () => {
  test('continues until its worker reports the end, and the worker is notified repeatedly until then', async () => {
    const run = await running();
    const heard = await heardOf(run);
    expect(await cancel(run)).toMatchObject({ status: 'running', finished_at: null });
    await vi.waitFor(() => expect(heard.times()).toBe(1), IN_TIME);
    for (const times of [2, 3]) {
      await own.parts.cancellations.notifyWorkers();
      await vi.waitFor(() => expect(heard.times()).toBe(times), IN_TIME);
    }
    await own.reportEnd(run, 'failed');
    await own.untilStatus(run, 'failed');
    expect(await own.rowOf(run)).toMatchObject({ cancel_due: null, withdrawn_at: null });
  });

  test('keeps the outcome it had reached', async () => {
    const [good, bad] = [await running(), await running()];
    for (const run of [good, bad]) await cancel(run);
    await own.reportEnd(good, 'succeeded');
    await own.reportEnd(bad, 'failed');
    await own.untilStatus(good, 'succeeded');
    await own.untilStatus(bad, 'failed');
    expect(await own.rowOf(good)).toMatchObject({ tickers: ['BBCA'], error_code: null, error_message: null });
    expect((await own.rowOf(bad)).error_message).toBe('Data belum lengkap.');
  });

  test('ends as cancelled, not interrupted, when its worker is lost', async () => {
    const run = await running();
    await cancel(run);
    await own.reportEnd(run, 'interrupted');
    await own.untilStatus(run, 'failed');
    expect(await own.rowOf(run)).toMatchObject(CANCELLED);
    const record = async () =>
      expect((await own.usageOf(run)).at(-1)).toMatchObject({ status: 'failed', error_code: 'cancelled' });
    await vi.waitFor(record, IN_TIME);
  });
});

describe('a cancellation', () => {
  test.each(['succeeded', 'failed', 'interrupted'])('of a run that is %s changes nothing', async (status) => {
    const run = await own.accept();
    await own.reportEnd(run, status);
    await own.untilStatus(run, status);
    const { finished_at, error_message } = await own.rowOf(run);
    const ended = { status, finished_at, error_message, cancelled_at: null };
    expect(await cancel(run)).toMatchObject(ended);
    expect(await own.rowOf(run)).toMatchObject(ended);
  });

  test('may be repeated, even concurrently: the run ends once', async () => {
    const run = await own.accept();
    const responses = await Promise.all([
      cancel(run),
      own.otherRuns.cancel(run.job_id, 'key_a'),
      cancel(run),
    ]);
    const ends = [...responses, await cancel(run)].map(({ finished_at }) => finished_at!.getTime());
    expect(new Set(ends).size).toBe(1);
  });
});
