import { describe, expect, test, vi } from 'vitest';
import { RunRequested } from '#proto/saring/events/v1/runs.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { HANGS_AFTER_MS } from '#support/hangs.ts';
import { testRuns } from '#support/services/test-runs.ts';
import { IN_TIME } from '#support/hangs.ts';

const own = testRuns();

describe('an accepted run', () => {
  test('is in the table, in the queue under its job id, and in the usage stream as started', async () => {
    own.tradingDays = ['2026-09-30'];
    const run = await own.accept();
    const { analysis_date, ...params } = run.params;
    expect(run).toMatchObject({ status: 'queued', api_key_id: 'key_a' });
    expect(params).toMatchObject({ lookback: 3, min_signals: 2, seller_filter: true });
    expect(analysis_date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(await own.requestsOf(run)).toMatchObject([
      { job_id: run.job_id, params: run.params, view: 'full' },
    ]);
    await vi.waitFor(async () => expect(await own.usageOf(run)).toHaveLength(1), IN_TIME);
    expect((await own.usageOf(run))[0]).toMatchObject({
      event_id: run.event_id,
      status: 'started',
      api_key_id: 'key_a',
      end_user: 'alice',
      channel: 'api',
      actor: 'key_a',
      params: { ...run.params, analysis_date: '2026-09-30' },
      duration_seconds: 0,
      job_id: run.job_id,
      request_id: 'req_1',
    });
  });

  test('is published by the sweeper when its process died before publishing', async () => {
    const lost = await own.writeOnly(await own.accept());
    await vi.waitFor(async () => expect(await own.requestsOf(lost)).toHaveLength(1), IN_TIME);
    await vi.waitFor(async () => expect(await own.usageOf(lost)).toHaveLength(1), IN_TIME);
  });

  test('passes the trading day it needs to its worker, whoever publishes it', async () => {
    const trading_day = '2024-06-28';
    const run = await own.submit({ trading_day });
    const lost = await own.writeOnly(run, { trading_day });
    await vi.waitFor(async () => expect(await own.requestsOf(lost)).toHaveLength(1), IN_TIME);
    for (const one of [run, lost]) expect(await own.requestsOf(one)).toMatchObject([{ trading_day }]);
  });
});

test('without NATS a run is accepted at once, and published and recorded when NATS returns', async () => {
  await own.natsServer.kill9();
  const begun = performance.now();
  const run = await own.accept();
  expect(performance.now() - begun).toBeLessThan(HANGS_AFTER_MS);
  await own.natsServer.start();
  await vi.waitFor(async () => expect(await own.requestsOf(run)).toHaveLength(1), IN_TIME);
  await vi.waitFor(async () => expect(await own.usageOf(run)).toHaveLength(1), IN_TIME);
  await own.reportEnd(run, 'succeeded');
  await own.untilStatus(run, 'succeeded');
});

test('without NATS a queued run is cancelled at once, and a running one when NATS returns', async () => {
  const [queued, underWay] = [await own.accept(), await own.accept()];
  await own.reportStart(underWay);
  await own.untilStatus(underWay, 'running');
  const reported: string[] = [];
  own.worker.connection.subscribe(subjects.runCancelled, {
    callback: (_error, message) => void reported.push(message.string()),
  });
  await own.natsServer.kill9();
  const begun = performance.now();
  const responses = [
    await own.runs.cancel(queued.job_id, 'key_a'),
    await own.runs.cancel(underWay.job_id, 'key_a'),
  ];
  expect(responses.map(({ status }) => status)).toEqual(['failed', 'running']);
  expect(performance.now() - begun).toBeLessThan(HANGS_AFTER_MS);
  await own.natsServer.start();
  await vi.waitFor(() => expect(reported).toContain(underWay.job_id), IN_TIME);
  await vi.waitFor(async () => expect((await own.rowOf(queued)).withdrawn_at).not.toBeNull(), IN_TIME);
});

test('a run taken at once by an idle worker is answered as running, with its start time', async () => {
  const idle = own.worker.connection.subscribe(subjects.quickRun('*', '*'), {
    callback: (_, { data }) => void own.reportStart(RunRequested.decode(data)),
  });
  // The run is requested on another connection, which could be faster than this subscription.
  await own.worker.connection.flush();
  // The usual 50 ms would measure the machine.
  const { run } = await own.submitTo(own.runsWith({ beginsWithinMs: HANGS_AFTER_MS }));
  idle.unsubscribe();
  expect(run).toMatchObject({ status: 'running', started_at: expect.any(Date) as Date });
});
