import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { clock, notSilent } from './import-report.ts';

/** A call that answers after each of these pauses, then hangs until it is cancelled. */
const hangsAfter = (pausesMs: number[]) =>
  async function* (signal: AbortSignal): AsyncGenerator<number> {
    for (const pauseMs of pausesMs) yield await sleep(pauseMs, pauseMs);
    await sleep(60_000, undefined, { signal });
  };

test('a call that falls silent is cancelled and said to be so; what came before is delivered', async () => {
  const received: number[] = [];
  const reading = (async () => {
    for await (const message of notSilent(hangsAfter([60, 60, 60]), 100)) received.push(message);
  })();
  await expect(reading).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringContaining('silent') as string,
  });
  expect(received).toEqual([60, 60, 60]);
});

test('a failure of the call itself is passed on as it is', async () => {
  const fails = async function* (): AsyncGenerator<number> {
    yield 1;
    throw new Error('of the call');
  };
  const reading = (async () => {
    for await (const message of notSilent(fails, 1_000)) expect(message).toBe(1);
  })();
  await expect(reading).rejects.toThrow('of the call');
});

test('a line counts from the start of the import', () => {
  expect(clock(3_790, {}, 1_009_000)).toBe('3.8 s');
});

test('a line counts from the start of the fleet where that runs the command, as the lines around it do', () => {
  expect(clock(3_790, { SARING_FLEET_STARTED_AT_MS: '1000000' }, 1_009_000)).toBe('9.0 s');
});
