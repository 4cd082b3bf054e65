import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ScreenTurns } from './screen-turns.ts';

/** A screener that takes a while unless it is asked to give up. Throws if used twice at the same time. */
class Screening {
  readonly done: string[] = [];
  #giveUp: (() => void) | undefined;
  #busy = false;

  readonly turns = new ScreenTurns(() => this.#giveUp?.());

  screen = async (name: string, ms: number): Promise<string> => {
    if (this.#busy) throw new Error('two screens at once');
    this.#busy = true;
    const given = Promise.withResolvers<string>();
    this.#giveUp = () => given.resolve('given up');
    const outcome = await Promise.race([sleep(ms, 'finished'), given.promise]);
    this.#busy = false;
    this.done.push(`${name} ${outcome}`);
    return outcome;
  };
}

test('a run interrupts the day being screened, and days wait until no run is left', async () => {
  const { turns, screen, done } = new Screening();
  const day = turns.forDay(() => screen('day', 10_000));
  const run = turns.forRun(() => screen('run', 20));
  expect(await day).toEqual({ value: 'given up', wasEnded: true });
  const again = turns.forDay(() => screen('day', 1));
  expect(await run).toBe('finished');
  expect(await again).toEqual({ value: 'finished', wasEnded: false });
  expect(done).toEqual(['day given up', 'run finished', 'day finished']);
});

test('a day that may not be interrupted finishes before the run starts', async () => {
  const { turns, screen, done } = new Screening();
  const day = turns.forDay(() => screen('day', 20), { mayBeEnded: false });
  const run = turns.forRun(() => screen('run', 1));
  expect(await day).toEqual({ value: 'finished', wasEnded: false });
  await run;
  expect(done).toEqual(['day finished', 'run finished']);
});

test('a stop ends the day being screened, also one that runs may not interrupt, and never a run', async () => {
  const { turns, screen, done } = new Screening();
  const day = turns.forDay(() => screen('day', 10_000), { mayBeEnded: false });
  turns.endDay();
  expect(await day).toEqual({ value: 'given up', wasEnded: false });
  const run = turns.forRun(() => screen('run', 20));
  const waiting = turns.forDay(() => screen('day', 1));
  turns.endDay();
  await Promise.all([run, waiting]);
  expect(done).toEqual(['day given up', 'run finished', 'day finished']);
});

test('a screen that throws does not block the next one', async () => {
  const { turns, screen, done } = new Screening();
  const failing = () => Promise.reject(new Error('broken'));
  await expect(turns.forRun(failing)).rejects.toThrow('broken');
  await expect(turns.forDay(failing)).rejects.toThrow('broken');
  await turns.forDay(() => screen('day', 1));
  await turns.forRun(() => screen('run', 1));
  expect(done).toEqual(['day finished', 'run finished']);
});
