import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { SharedMarket } from '../market/shared-market.ts';
import type { Outcome, ThreadRun } from './thread-messages.ts';
import { ThreadPool, type PooledThread } from './thread-pool.ts';

const MARKET = { dataset: { version: 'v1' } } as SharedMarket;
const NEVER = new AbortController().signal;
const INTERRUPTED: Outcome = { status: 'interrupted' };
const DONE = { status: 'succeeded' } as Outcome;

/** A thread whose runs take as long as their parameters say, unless they are cancelled. Throws if used twice at once. */
class TimedThread implements PooledThread {
  readonly done: string[];
  #giveUp: (() => void) | undefined;
  #busy = false;

  constructor(done: string[]) {
    this.done = done;
  }

  async run(_market: SharedMarket, { model_id, params }: ThreadRun): Promise<Outcome> {
    if (this.#busy) throw new Error('two runs at once');
    this.#busy = true;
    const given = Promise.withResolvers<Outcome>();
    this.#giveUp = () => given.resolve(INTERRUPTED);
    const outcome = await Promise.race([sleep(params['ms'] as number, DONE), given.promise]);
    this.#busy = false;
    this.done.push(`${model_id} ${outcome === DONE ? 'finished' : 'given up'}`);
    return outcome;
  }

  cancel(): void {
    this.#giveUp?.();
  }

  forget(version: string): void {
    this.done.push(`${version} forgotten`);
  }

  async stop(): Promise<void> {}
}

function poolOf(threads: number): { pool: ThreadPool<TimedThread>; done: string[] } {
  const done: string[] = [];
  return { pool: new ThreadPool(Array.from({ length: threads }, () => new TimedThread(done))), done };
}

const QUICK = 'confluence_filter';

const wanted = (model_id: string, ms: number): ThreadRun => ({
  model_id,
  analysis_date: '2024-06-28',
  params: { ms },
  view: 'full',
});
const day = { signal: NEVER, mayBeEnded: true };
const firmDay = { signal: NEVER, mayBeEnded: false };
const settled = () => sleep(0);

test('a run ends the day being screened, and days wait until no run is left', async () => {
  const { pool, done } = poolOf(1);
  const ended = pool.day(MARKET, wanted('day', 10_000), day);
  await settled();
  const run = pool.run(MARKET, wanted('run', 20), NEVER);
  expect(await ended).toEqual({ outcome: INTERRUPTED, wasEnded: true });
  const again = pool.day(MARKET, wanted('day', 1), day);
  expect(await run).toBe(DONE);
  expect(await again).toEqual({ outcome: DONE, wasEnded: false });
  expect(done).toEqual(['day given up', 'run finished', 'day finished']);
});

test('a day that may not be ended finishes before the run starts', async () => {
  const { pool, done } = poolOf(1);
  const firm = pool.day(MARKET, wanted('day', 20), firmDay);
  await settled();
  const run = pool.run(MARKET, wanted('run', 1), NEVER);
  expect(await firm).toEqual({ outcome: DONE, wasEnded: false });
  await run;
  expect(done).toEqual(['day finished', 'run finished']);
});

test('a run ends no day while another thread is free, and one day only for each run', async () => {
  const { pool, done } = poolOf(2);
  const first = pool.day(MARKET, wanted('day 1', 10_000), day);
  await settled();
  await pool.run(MARKET, wanted('run', 1), NEVER);
  expect(done).toEqual(['run finished']);
  const second = pool.day(MARKET, wanted('day 2', 10_000), day);
  await settled();
  await pool.run(MARKET, wanted('run', 1), NEVER);
  const ends = await Promise.race([first, second]);
  expect(ends.wasEnded).toBe(true);
  expect(done.filter((line) => line.endsWith('given up'))).toHaveLength(1);
});

test('a preparation is not ended, waits for no day, and goes before days', async () => {
  const { pool, done } = poolOf(1);
  const preparing = pool.prepare(MARKET, wanted('preparation', 20), NEVER);
  await settled();
  const waitingDay = pool.day(MARKET, wanted('day', 1), day);
  const waitingRun = pool.run(MARKET, wanted('run', 1), NEVER);
  const nextPreparation = preparing.then(() => pool.prepare(MARKET, wanted('preparation', 1), NEVER));
  await Promise.all([waitingDay, waitingRun, nextPreparation]);
  expect(done).toEqual(['preparation finished', 'run finished', 'preparation finished', 'day finished']);
});

test('a run that never trains waits for none that does, and ends no day while its own thread is free', async () => {
  const done: string[] = [];
  const threads = Array.from({ length: 3 }, () => new TimedThread(done));
  const pool = new ThreadPool(threads.slice(1), threads[0]);
  expect(pool.size).toBe(2);
  const over = new AbortController();
  const training = pool.run(MARKET, wanted('training', 100_000), over.signal);
  const history = pool.day(MARKET, wanted('day', 100_000), { signal: over.signal, mayBeEnded: true });
  await settled();
  expect(await pool.run(MARKET, wanted(QUICK, 1), NEVER)).toBe(DONE);
  expect(done).toEqual([`${QUICK} finished`]);
  over.abort();
  await training;
  expect(await history).toEqual({ outcome: INTERRUPTED, wasEnded: false });
});

test('runs that never train have every thread, and others never have that of quick ones', async () => {
  const done: string[] = [];
  const pool = new ThreadPool([new TimedThread(done)], new TimedThread(done));
  const quick = [30, 40].map((ms) => pool.run(MARKET, wanted(QUICK, ms), NEVER));
  const others = ['first', 'second'].map((name) => pool.run(MARKET, wanted(name, 1), NEVER));
  await Promise.all([...quick, ...others]);
  expect(done).toEqual([`${QUICK} finished`, `${QUICK} finished`, 'first finished', 'second finished']);
});

test('preparations use the threads in turn, so that all get warm', async () => {
  const threads = [new TimedThread([]), new TimedThread([])];
  const pool = new ThreadPool(threads);
  for (let i = 0; i < 4; i++) await pool.prepare(MARKET, wanted('preparation', 1), NEVER);
  expect(threads.map(({ done }) => done.length)).toEqual([2, 2]);
});

test('a signal ends its own run and no other, also one that has not started', async () => {
  const { pool } = poolOf(2);
  const [cancelled, late] = [new AbortController(), new AbortController()];
  const runs = [
    pool.run(MARKET, wanted('run', 30), NEVER),
    pool.run(MARKET, wanted('run', 10_000), cancelled.signal),
    pool.run(MARKET, wanted('run', 10_000), late.signal),
  ];
  await settled();
  cancelled.abort();
  late.abort();
  expect(await Promise.all(runs)).toEqual([DONE, INTERRUPTED, INTERRUPTED]);
});

test('a version is forgotten once the runs that use it, or wait for a thread, have ended', async () => {
  const { pool, done } = poolOf(1);
  const runs = ['first', 'second'].map((name) => pool.run(MARKET, wanted(name, 10), NEVER));
  await pool.forget('v1');
  expect(done).toEqual(['first finished', 'second finished', 'v1 forgotten']);
  await Promise.all(runs);
});

test('a thread that fails is free again', async () => {
  const { pool } = poolOf(1);
  const thread = { run: () => Promise.reject(new Error('broken')) };
  const failing = new ThreadPool([Object.assign(new TimedThread([]), thread)]);
  await expect(failing.run(MARKET, wanted('run', 1), NEVER)).rejects.toThrow('broken');
  await expect(failing.day(MARKET, wanted('day', 1), day)).rejects.toThrow('broken');
  expect(await pool.run(MARKET, wanted('run', 1), NEVER)).toBe(DONE);
});
