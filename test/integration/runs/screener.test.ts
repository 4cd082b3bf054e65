import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { FAILURE } from '#services/model-worker/failure-messages.ts';
import { Screener } from '#services/model-worker/screener.ts';
import type { Outcome } from '#services/model-worker/thread-messages.ts';
import { HANGS_AFTER_MS } from '#support/hangs.ts';
import { signOfLife } from '#support/processes/sign-of-life.ts';
import { SMALL_DATASET, smallMarket } from '#support/markets/small-market.ts';

const market = smallMarket();
/** As many rounds as the trainer accepts, which take minutes: a run that ends before `HANGS_AFTER_MS` was told to stop. */
const FOR_EVER = { rounds: 10_000 };

let screener: Screener;
let logged: string[];
afterEach(() => screener.stop());

/** A screener whose thread runs, has completed a run and holds the dataset. */
async function warmScreener(
  options: { runTimeoutMs?: number; giveUpWithinMs?: number } = {},
): Promise<Screener> {
  logged = [];
  screener = new Screener({
    clickhouseAt: { url: market.url },
    trainerThreads: 2,
    patienceMs: 0,
    ...options,
    log: pino({}, { write: (line) => logged.push((JSON.parse(line) as { msg: string }).msg) }),
    thread: new URL('../../support/services/trying-thread.ts', import.meta.url),
  });
  screener.load(SMALL_DATASET);
  expect((await run('quick')).status).toBe('succeeded');
  return screener;
}

const run = (model_id: string, params = {}) =>
  screener.run({ model_id, params, analysis_date: '2024-03-15', view: 'full' });

/** A run that would take for ever, after its model has started. */
async function atWork(model_id: string): Promise<{ outcome: Promise<Outcome> }> {
  const sign = await signOfLife();
  const outcome = run(model_id, { ...FOR_EVER, sign: sign.path });
  await sign.seen();
  return { outcome };
}

const resultOf = (outcome: Outcome) =>
  JSON.parse(Buffer.from((outcome as { resultJson: Uint8Array }).resultJson).toString()) as {
    thread: number;
    analysisDate: string;
  };
const threadNow = async () => resultOf(await run('quick')).thread;

/** The greatest delay of a timer of this thread while a promise was pending. */
async function latestTimerWhile(pending: Promise<unknown>): Promise<number> {
  let isOver = false;
  void pending.finally(() => (isOver = true));
  let latestMs = 0;
  while (!isOver) {
    const begun = performance.now();
    await sleep(20);
    latestMs = Math.max(latestMs, performance.now() - begun - 20);
  }
  return latestMs;
}

test('a run gets its analysis day, even for a model without such a parameter', async () => {
  await warmScreener();
  expect(resultOf(await run('quick'))).toMatchObject({ analysisDate: '2024-03-15' });
});

describe('while a run trains on both processors', () => {
  test('timers of the main thread, and thus heartbeats, run on time', async () => {
    await warmScreener();
    const learning = run('learning', FOR_EVER);
    setTimeout(() => screener.cancel(), 3_000);
    // A blocked thread would not even notice the cancellation after three seconds.
    expect(await latestTimerWhile(learning)).toBeLessThan(HANGS_AFTER_MS);
    expect(await learning).toEqual({ status: 'interrupted' });
  });

  test('a cancellation ends it between two trees, and its thread survives', async () => {
    await warmScreener();
    const thread = await threadNow();
    const { outcome } = await atWork('learning');
    const begun = performance.now();
    screener.cancel();
    expect(await outcome).toEqual({ status: 'interrupted' });
    expect(performance.now() - begun).toBeLessThan(HANGS_AFTER_MS);
    expect(await threadNow()).toBe(thread);
    expect((await run('learning', { rounds: 3 })).status).toBe('succeeded');
  });

  test('a cancellation ends it even before the thread has received the run', async () => {
    await warmScreener({ runTimeoutMs: 2 * HANGS_AFTER_MS });
    const learning = run('learning', FOR_EVER);
    screener.cancel();
    expect(await learning).toEqual({ status: 'interrupted' });
  });

  test('a stop ends the run and its thread without termination', async () => {
    await warmScreener({ giveUpWithinMs: 2 * HANGS_AFTER_MS });
    const { outcome } = await atWork('learning');
    const begun = performance.now();
    await screener.stop();
    expect(performance.now() - begun).toBeLessThan(HANGS_AFTER_MS);
    expect(await outcome).toEqual({ status: 'interrupted' });
    expect(logged.filter((line) => line.includes('terminate'))).toEqual([]);
  });
});

describe('a run past its time limit', () => {
  const tooLong = { status: 'failed', code: 'timeout', message: FAILURE.tooLong.in };

  test('fails, and a responsive thread survives', async () => {
    await warmScreener({ runTimeoutMs: 3_000, giveUpWithinMs: 2 * HANGS_AFTER_MS });
    const thread = await threadNow();
    expect(await run('learning', FOR_EVER)).toEqual(tooLong);
    expect(await threadNow()).toBe(thread);
  });

  test('fails even when its thread hangs, and the next run gets a new thread', async () => {
    await warmScreener({ runTimeoutMs: 3_000 });
    const thread = await threadNow();
    expect(await run('hanging')).toEqual(tooLong);
    expect(await threadNow()).not.toBe(thread);
  });
});

test('a stop terminates a hanging thread, and its run is interrupted', async () => {
  await warmScreener();
  const { outcome } = await atWork('hanging');
  const begun = performance.now();
  await screener.stop();
  expect(performance.now() - begun).toBeLessThan(HANGS_AFTER_MS);
  expect(await outcome).toEqual({ status: 'interrupted' });
  expect(logged.filter((line) => line.includes('terminate'))).toHaveLength(1);
});

test('a trainer that loses a thread fails its run, and the next run gets a new screen thread', async () => {
  await warmScreener();
  const thread = await threadNow();
  expect(await run('bereft')).toMatchObject({
    status: 'failed',
    code: 'internal_error',
    message: FAILURE.unexpected.in,
  });
  expect(await threadNow()).not.toBe(thread);
  expect((await run('learning', { rounds: 3 })).status).toBe('succeeded');
});
