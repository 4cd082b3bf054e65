import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { clock, notSilent } from './import-report.ts';

/** A call that answers after each of these pauses, then hangs until it is cancelled. */
const hangsAfter = (pausesMs: number[]) =>
  async function* (signal: AbortSignal): AsyncGenerator<number> {
    for (const pauseMs of pausesMs) yield await sleep(pauseMs, pauseMs);
    await sleep(60_000, undefined, { signal });
  };

test('a silent call delivers its earlier messages, then is cancelled and reported as silent', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], fakeNodeBuiltins: true });
  onTestFinished(() => void vi.useRealTimers());
  const received: number[] = [];
  let isOver = false;
  const reading = (async () => {
    for await (const message of notSilent(hangsAfter([60, 60, 60]), 100)) received.push(message);
  })();
  const over = () => void (isOver = true);
  reading.then(over, over);
  await vi.advanceTimersByTimeAsync(3 * 60 + 99);
  expect([received, isOver]).toEqual([[60, 60, 60], false]);
  await vi.advanceTimersByTimeAsync(1);
  await expect(reading).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringContaining('silent') as string,
  });
  expect(received).toEqual([60, 60, 60]);
});

test('an error of the call itself is passed on unchanged', async () => {
  const fails = async function* (): AsyncGenerator<number> {
    yield 1;
    throw new Error('of the call');
  };
  const reading = (async () => {
    for await (const message of notSilent(fails, 1_000)) expect(message).toBe(1);
  })();
  await expect(reading).rejects.toThrow('of the call');
});

test('a line shows the time since the start of the import', () => {
  expect(clock(3_790, {}, 1_009_000)).toBe('3.8 s');
});

test('a line shows the time since the start of the fleet when the fleet runs the import', () => {
  expect(clock(3_790, { SARING_FLEET_STARTED_AT_MS: '1000000' }, 1_009_000)).toBe('9.0 s');
});
