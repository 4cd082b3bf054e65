import { expect, test } from 'vitest';
import { RunResult } from '#proto/saring/events/v1/runs.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { CANCELLED as REASON } from '#models/inputs/run-errors.ts';
import { testWorker } from '#support/services/test-worker.ts';
import { signOfLife } from '#support/processes/sign-of-life.ts';
import { smallMarket } from '#support/markets/small-market.ts';

const own = testWorker(smallMarket());

/** A run that trains until it is told to stop. */
const requestEndless = (params = {}) => own.request('learning', { ...params, rounds: ENDLESS_ROUNDS });
/** All rounds together take far longer than a test waits for the end of a run. */
const ENDLESS_ROUNDS = 10_000;
const CANCELLED = { status: 'failed', error_code: 'cancelled', error_message: REASON.in.id };

test('a run cancelled while training fails promptly, and the next one starts', async () => {
  const sign = await signOfLife();
  const endless = await requestEndless({ sign: sign.path });
  const next = await own.request('quick');
  await sign.seen();
  own.cancel(endless);
  expect(await own.endOf(endless)).toMatchObject(CANCELLED);
  expect(await own.endOf(next)).toMatchObject({ status: 'succeeded' });
  const last_by_subj = subjects.result(endless);
  const held = await own.models.jsm.streams.getMessage('RESULTS', { last_by_subj });
  expect(RunResult.decode(held!.data).result_json).toBeUndefined();
});

test('a run that never trains waits for none that does, however many wait', async () => {
  const sign = await signOfLife();
  const endless = await requestEndless({ sign: sign.path });
  const waiting = await Promise.all(['quick', 'quick', 'quick'].map((model) => own.request(model)));
  await sign.seen();
  const untrained = await own.request('confluence_filter');
  expect(await own.endOf(untrained)).toMatchObject({ status: 'succeeded' });
  expect(await Promise.all(waiting.map((jobId) => own.hasStarted(jobId)))).toEqual([false, false, false]);
  own.cancel(endless);
  for (const jobId of waiting) expect(await own.endOf(jobId)).toMatchObject({ status: 'succeeded' });
});

test('a cancellation sent as soon as the run is claimed reaches its thread', async () => {
  for (let i = 0; i < 3; i++) {
    const endless = await requestEndless();
    await own.untilStarted(endless);
    own.cancel(endless);
    expect(await own.endOf(endless)).toMatchObject(CANCELLED);
  }
});

test('cancelling an ended or a waiting run does not affect the running one', async () => {
  const ended = await requestEndless();
  await own.untilStarted(ended);
  own.cancel(ended);
  const underWay = await own.request('learning', { rounds: 60 });
  const waiting = await own.request('quick');
  await own.endOf(ended);
  await own.untilStarted(underWay);
  const saying = setInterval(() => [ended, waiting].forEach((jobId) => own.cancel(jobId)), 20);
  try {
    expect(await own.endOf(underWay)).toMatchObject({ status: 'succeeded' });
  } finally {
    clearInterval(saying);
  }
  await own.endOf(waiting);
});

test('a run that finishes without noticing the cancellation keeps its result', async () => {
  const sign = await signOfLife();
  const deaf = await own.request('deaf', { ms: 500, sign: sign.path });
  await sign.seen();
  own.cancel(deaf);
  expect(await own.endOf(deaf)).toMatchObject({ status: 'succeeded' });
});
