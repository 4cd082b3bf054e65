import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { watchLiveness, type LivenessProbe } from './liveness.ts';
import { IN_TIME } from '#support/hangs.ts';

let stop: (() => void) | undefined;
afterEach(() => stop?.());

function watch(probe: Partial<LivenessProbe>) {
  const [dead, excused]: [string[], string[]] = [[], []];
  const whole = {
    failing: 'did not answer',
    pauseMs: 10,
    allowanceMs: 1_000,
    attempt: async () => {},
    ...probe,
  };
  stop = watchLiveness([whole], {
    dead: (sentence) => dead.push(sentence),
    excused: (sentence) => excused.push(sentence),
  });
  return { dead, excused };
}

const failing = async () => {
  await sleep(1);
  throw new Error('no');
};

describe('on a clock that the test advances', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'], fakeNodeBuiltins: true });
  });
  afterEach(() => void vi.useRealTimers());
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  test('a process whose attempts all fail is reported dead once, after its allowance is used up', async () => {
    const { dead } = watch({ attempt: failing, allowanceMs: 2_000, pauseMs: 100 });
    await pass(2_000);
    expect(dead).toEqual([]);
    await pass(200);
    expect(dead).toEqual(['did not answer for 2 s']);
    await pass(10_000);
    expect(dead).toHaveLength(1);
  });

  test('a process whose attempt never ends is reported dead after its allowance', async () => {
    const { dead } = watch({ attempt: () => new Promise(() => {}), allowanceMs: 2_000 });
    await pass(2_000);
    expect(dead).toEqual([]);
    await pass(10);
    expect(dead).toEqual(['did not answer for 2 s']);
  });

  test('a late answer counts and restarts the allowance', async () => {
    let attempts = 0;
    const slow = async () => {
      attempts++;
      await sleep(700);
    };
    const { dead } = watch({ attempt: slow });
    await pass(10_000);
    expect(attempts).toBe(15);
    expect(dead).toEqual([]);
  });

  test('an excused failure does not end the process and is reported once per occurrence', async () => {
    let [isFull, works] = [true, false];
    const { dead, excused } = watch({
      failing: 'could not store anything',
      attempt: () => (works ? Promise.resolve() : failing()),
      excuse: async () => (isFull ? 'its disk is full' : undefined),
    });
    await pass(3_000);
    works = true;
    await pass(500);
    works = false;
    await pass(3_000);
    expect(excused).toEqual(Array(2).fill('could not store anything: its disk is full'));
    expect(dead).toEqual([]);
    isFull = false;
    await pass(990);
    expect(dead).toEqual([]);
    await pass(50);
    expect(dead).toEqual(['could not store anything for 1 s']);
  });
});

test('time during which the watching process was stopped does not count', async () => {
  let attempts = 0;
  const attempt = async () => {
    attempts++;
    // Simulates a process that is stopped during the attempt for longer than the allowance.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
    await sleep(50);
  };
  const { dead } = watch({ attempt });
  await vi.waitFor(() => expect(attempts).toBeGreaterThan(3), IN_TIME);
  expect(dead).toEqual([]);
});
