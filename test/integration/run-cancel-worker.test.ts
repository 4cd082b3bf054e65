import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { RunFinished, RunRequested, RunResult } from '#proto/saring/events/v1/runs.ts';
import { CancelRequests } from '#services/model-worker/cancel-requests.ts';
import { RunClaims } from '#services/model-worker/run-claims.ts';
import { RunReports } from '#services/model-worker/run-reports.ts';
import { RunWorker } from '#services/model-worker/run-worker.ts';
import { Screener } from '#services/model-worker/screener.ts';
import { connectClickHouse } from '#shared/clickhouse.ts';
import { systemClock as clock } from '#shared/clock.ts';
import { DatasetFeed } from '#shared/dataset-feed.ts';
import { randomId } from '#shared/ids.ts';
import { createLogger } from '#shared/logger.ts';
import { connectNats, type Nats } from '#shared/nats/connection.ts';
import { listenForRuns } from '#shared/nats/listen-for-runs.ts';
import { subjects } from '#shared/nats/subjects.ts';
import { CANCELLED_MESSAGE } from '#shared/run-cancelled.ts';
import { PrivateServer } from '#support/private-server.ts';
import { smallMarket } from '#support/small-market.ts';

const log = createLogger('test', 'silent');
const market = smallMarket();
const workerId = 'worker_test';
/** What a cancellation may take until the end of its run is known. */
const AT_ONCE_MS = 1_000;

let natsServer: PrivateServer;
/** As the models service has it. */
let models: Nats;
const stops: (() => unknown)[] = [];

/** A worker as its process has it, but that its models do what tests need: see trying-screens.ts. */
beforeAll(async () => {
  natsServer = await PrivateServer.nats();
  stops.push(() => natsServer.remove());
  const nats = await connectNats(natsServer.url, 'model-worker', log);
  models = await connectNats(natsServer.url, 'models', log);
  stops.push(
    () => nats.connection.close(),
    () => models.connection.close(),
  );
  const clickhouse = connectClickHouse(market.url);
  const thread = new URL('../support/trying-thread.ts', import.meta.url);
  const screener = new Screener({ clickhouseUrl: market.url, trainerThreads: 2, log, thread });
  const feed = new DatasetFeed({
    ...{ clickhouse, nats: nats.connection, log, onNewest: (dataset) => screener.load(dataset) },
  });
  feed.start();
  const listener = listenForRuns(nats.connection, workerId);
  const claims = new RunClaims({ nats, listener, workerId, log });
  const reports = new RunReports({ nats, workerId, clock, log });
  const cancelRequests = new CancelRequests(nats.connection);
  const worker = new RunWorker({
    ...{ nats, claims, reports, cancelRequests, screener, feed, workerId, clock, log },
  });
  worker.start();
  stops.push(
    () => clickhouse.close(),
    () => screener.stop(),
    () => feed.stop(),
    () => listener.stop(),
    () => worker.stop(),
  );
  expect(await endOf(await request('quick'))).toMatchObject({ status: 'succeeded' });
});
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
});

/** Puts a run before the worker. */
async function request(model_id: string, params = {}): Promise<string> {
  const job_id = randomId('job');
  const run = { job_id, model_id, params, view: 'full', request_id: 'req_1', analysis_date: '2024-03-15' };
  const message = RunRequested.encode({ ...run, trading_day: undefined }).finish();
  await models.js.publish(subjects.run(model_id), message, { msgID: job_id });
  return job_id;
}

/** The event of a run with this subject, once it is there. */
function eventOf(subject: string): Promise<Uint8Array> {
  const read = async () => {
    const message = await models.jsm.streams.getMessage('RUN_EVENTS', { last_by_subj: subject });
    if (!message) throw new Error(`nothing on ${subject} yet`);
    return message.data;
  };
  return vi.waitFor(read, { timeout: 20_000, interval: 20 });
}

const endOf = async (jobId: string) => RunFinished.decode(await eventOf(subjects.runFinished(jobId)));
const untilStarted = (jobId: string) => eventOf(subjects.runStarted(jobId));
const cancel = (jobId: string) => models.connection.publish(subjects.runCancelled, jobId);

/** Learns until it is told to stop. */
const requestEndless = () => request('learning', { rounds: 10_000 });
const CANCELLED = { status: 'failed', error_message: CANCELLED_MESSAGE };

test('a run that is cancelled while it learns ends failed within a second, and the next one begins at once', async () => {
  const endless = await requestEndless();
  const next = await request('quick');
  await untilStarted(endless);
  await sleep(1_000);
  const begun = performance.now();
  cancel(endless);
  expect(await endOf(endless)).toMatchObject(CANCELLED);
  expect(performance.now() - begun).toBeLessThan(AT_ONCE_MS);
  expect(await endOf(next)).toMatchObject({ status: 'succeeded' });
  const held = await models.jsm.streams.getMessage('RESULTS', { last_by_subj: subjects.result(endless) });
  expect(RunResult.decode(held!.data).result_json).toBeUndefined();
});

test('a cancellation that comes as soon as the run is claimed is not lost on the way to its thread', async () => {
  for (let i = 0; i < 3; i++) {
    const endless = await requestEndless();
    await untilStarted(endless);
    cancel(endless);
    expect(await endOf(endless)).toMatchObject(CANCELLED);
  }
});

test('what is said of a run that has ended, or of one that waits, does not touch the run under way', async () => {
  const ended = await requestEndless();
  await untilStarted(ended);
  cancel(ended);
  const underWay = await request('learning', { rounds: 60 });
  const waiting = await request('quick');
  await endOf(ended);
  await untilStarted(underWay);
  const saying = setInterval(() => [ended, waiting].forEach(cancel), 20);
  try {
    expect(await endOf(underWay)).toMatchObject({ status: 'succeeded' });
  } finally {
    clearInterval(saying);
  }
  await endOf(waiting);
});

test('a run that finishes without having seen the cancellation keeps its result', async () => {
  const deaf = await request('deaf', { ms: 500 });
  await untilStarted(deaf);
  await sleep(250);
  cancel(deaf);
  expect(await endOf(deaf)).toMatchObject({ status: 'succeeded' });
});
