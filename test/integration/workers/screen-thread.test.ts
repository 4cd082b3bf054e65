import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { FAILURE, unreadableFor } from '#services/model-worker/failures/failure-messages.ts';
import { ProcessModelCache } from '#services/model-worker/model-cache/process-model-cache.ts';
import { MarketReader } from '#services/model-worker/market/market-reader.ts';
import type { SharedMarket } from '#services/model-worker/market/shared-market.ts';
import { ScreenThread, type ScreenThreadOptions } from '#services/model-worker/threads/screen-thread.ts';
import type { Outcome } from '#services/model-worker/threads/thread-messages.ts';
import type { BrokerRows } from '#services/model-worker/threads/thread-runs.ts';
import { Unreadable } from '#services/model-worker/market/thread-requests.ts';
import { connectClickHouse } from '#platform/clickhouse/clickhouse.ts';
import { HANGS_AFTER_MS } from '#support/hangs.ts';
import { signOfLife } from '#support/processes/sign-of-life.ts';
import { SMALL_DATASET, smallMarket } from '#support/markets/small-market.ts';
import { IN_TIME } from '#support/hangs.ts';

const market = smallMarket();
/** As many rounds as the trainer accepts, which take minutes: a run that ends before `HANGS_AFTER_MS` was told to stop. */
const FOR_EVER = { rounds: 10_000 };
const NO_ROWS: BrokerRows = {
  flowOf: () => Promise.reject(new Error('there are no broker rows')),
  monthsOf: () => Promise.reject(new Error('there are no broker rows')),
};

let shared: SharedMarket;
beforeAll(async () => {
  const clickhouse = connectClickHouse(market.url);
  const read = await new MarketReader(clickhouse).read(SMALL_DATASET);
  // As if broker rows of older days were stored.
  shared = { ...read, segments: ['2024-01.a'] };
  await clickhouse.close();
});

let screenThread: ScreenThread;
let logged: string[];
afterEach(() => screenThread.stop());

/** A thread that has completed a run. */
async function warmThread(options: Partial<ScreenThreadOptions> = {}): Promise<ScreenThread> {
  logged = [];
  screenThread = new ScreenThread({
    trainerThreads: 2,
    patienceMs: 0,
    brokerRows: NO_ROWS,
    log: pino({}, { write: (line) => logged.push((JSON.parse(line) as { msg: string }).msg) }),
    entry: new URL('../../support/services/trying-thread.ts', import.meta.url),
    ...options,
  });
  expect((await run('quick')).status).toBe('succeeded');
  return screenThread;
}

const run = (model_id: string, params = {}) =>
  screenThread.run(shared, { model_id, params, analysis_date: '2024-03-15', view: 'full' });

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
  await warmThread();
  expect(resultOf(await run('quick'))).toMatchObject({ analysisDate: '2024-03-15' });
});

describe('while a run trains on both processors', () => {
  test('timers of the main thread, and thus heartbeats, run on time', async () => {
    await warmThread();
    const learning = run('learning', FOR_EVER);
    setTimeout(() => screenThread.cancel(), 3_000);
    // A blocked thread would not even notice the cancellation after three seconds.
    expect(await latestTimerWhile(learning)).toBeLessThan(HANGS_AFTER_MS);
    expect(await learning).toEqual({ status: 'interrupted' });
  });

  test('a cancellation ends it between two trees, and its thread survives', async () => {
    await warmThread();
    const thread = await threadNow();
    const { outcome } = await atWork('learning');
    const begun = performance.now();
    screenThread.cancel();
    expect(await outcome).toEqual({ status: 'interrupted' });
    expect(performance.now() - begun).toBeLessThan(HANGS_AFTER_MS);
    expect(await threadNow()).toBe(thread);
    expect((await run('learning', { rounds: 3 })).status).toBe('succeeded');
  });

  test('a cancellation ends it even before the thread has received the run', async () => {
    await warmThread({ runTimeoutMs: 2 * HANGS_AFTER_MS });
    const learning = run('learning', FOR_EVER);
    screenThread.cancel();
    expect(await learning).toEqual({ status: 'interrupted' });
  });

  test('a stop ends the run and its thread without termination', async () => {
    await warmThread({ giveUpWithinMs: 2 * HANGS_AFTER_MS });
    const { outcome } = await atWork('learning');
    const begun = performance.now();
    await screenThread.stop();
    expect(performance.now() - begun).toBeLessThan(HANGS_AFTER_MS);
    expect(await outcome).toEqual({ status: 'interrupted' });
    expect(logged.filter((line) => line.includes('terminate'))).toEqual([]);
  });
});

describe('a run past its time limit', () => {
  const tooLong = { status: 'failed', code: 'timeout', message: FAILURE.tooLong.in };

  test('fails, and a responsive thread survives', async () => {
    await warmThread({ runTimeoutMs: 3_000, giveUpWithinMs: 2 * HANGS_AFTER_MS });
    const thread = await threadNow();
    expect(await run('learning', FOR_EVER)).toEqual(tooLong);
    expect(await threadNow()).toBe(thread);
  });

  test('fails even when its thread hangs, and the next run gets a new thread', async () => {
    await warmThread({ runTimeoutMs: 3_000 });
    const thread = await threadNow();
    expect(await run('hanging')).toEqual(tooLong);
    expect(await threadNow()).not.toBe(thread);
  });
});

test('a stop terminates a hanging thread, and its run is interrupted', async () => {
  await warmThread();
  const { outcome } = await atWork('hanging');
  const begun = performance.now();
  await screenThread.stop();
  expect(performance.now() - begun).toBeLessThan(HANGS_AFTER_MS);
  expect(await outcome).toEqual({ status: 'interrupted' });
  expect(logged.filter((line) => line.includes('terminate'))).toHaveLength(1);
});

test('a trainer that loses a thread fails its run, and the next run gets a new screen thread', async () => {
  await warmThread();
  const thread = await threadNow();
  expect(await run('bereft')).toMatchObject({
    status: 'failed',
    code: 'internal_error',
    message: FAILURE.unexpected.in,
  });
  expect(await threadNow()).not.toBe(thread);
  expect((await run('learning', { rounds: 3 })).status).toBe('succeeded');
});

test('a full heap ends its run and its thread and nothing else, and the next run gets a new thread', async () => {
  await warmThread({ maxHeapMiB: 64 });
  const thread = await threadNow();
  expect(await run('greedy')).toMatchObject({ status: 'failed', code: 'internal_error' });
  expect(await threadNow()).not.toBe(thread);
});

test('a cancellation ends a run that waits for broker rows', async () => {
  const requested = vi.fn();
  const brokerRows = { ...NO_ROWS, flowOf: () => new Promise<never>(requested) };
  await warmThread({ brokerRows, patienceMs: 2 * HANGS_AFTER_MS });
  const waiting = run('of_old_brokers');
  await vi.waitFor(() => expect(requested).toHaveBeenCalled(), IN_TIME);
  screenThread.cancel();
  expect(await waiting).toEqual({ status: 'interrupted' });
});

test('a cancellation ends a run that waits for a model which another thread is learning', async () => {
  const models = new ProcessModelCache(1e6);
  const waits = vi.fn();
  const modelCache = {
    find: async (thread: object, name: string, willLearn: boolean) => {
      await models.find({}, name, true);
      waits();
      return models.find(thread, name, willLearn);
    },
    trained: models.trained.bind(models),
    release: models.release.bind(models),
  };
  await warmThread({ modelCache });
  const waiting = run('of_cached_model');
  await vi.waitFor(() => expect(waits).toHaveBeenCalled(), IN_TIME);
  screenThread.cancel();
  expect(await waiting).toEqual({ status: 'interrupted' });
});

test('a run that is cancelled before it asks for a model does not wait for it', async () => {
  const find = vi.fn(() => new Promise<never>(() => {}));
  await warmThread({ modelCache: { find, trained: () => {}, release: () => {} } });
  const cancelled = run('of_cached_model');
  screenThread.cancel();
  expect(await cancelled).toEqual({ status: 'interrupted' });
  expect(find).not.toHaveBeenCalled();
});

describe('while ClickHouse is unavailable', () => {
  const unavailable = new Unreadable('connect ECONNREFUSED', { isUnavailable: true });

  test('a run that needs older broker rows waits as long as its patience; then it fails and says so', async () => {
    const patienceMs = 1_500;
    await warmThread({ patienceMs, brokerRows: { ...NO_ROWS, flowOf: () => Promise.reject(unavailable) } });
    const begun = performance.now();
    expect(await run('of_old_brokers')).toMatchObject({ message: unreadableFor(patienceMs).in });
    expect(performance.now() - begun).toBeGreaterThan(patienceMs - 1);
  });

  test('its waits do not count towards the time limit', async () => {
    let requested = 0;
    const flowOf = () => (++requested < 4 ? Promise.reject(unavailable) : Promise.resolve(shared.recentFlow));
    await warmThread({ patienceMs: 3_600_000, runTimeoutMs: 2_000, brokerRows: { ...NO_ROWS, flowOf } });
    expect((await run('of_old_brokers')).status).toBe('succeeded');
  });
});
