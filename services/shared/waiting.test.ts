import { expect, test } from 'vitest';
import { inTime } from './waiting.ts';

function holdUpProcess(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

test('an answer in time is given on, and so is a failure', async () => {
  await expect(inTime(Promise.resolve('here'), 1_000)).resolves.toBe('here');
  await expect(inTime(Promise.reject(new Error('refused')), 1_000)).rejects.toThrow('refused');
});

test('an answer that does not come fails once the time is over', async () => {
  const begunAtMs = performance.now();
  await expect(inTime(new Promise(() => {}), 60)).rejects.toThrow('no answer within 60 ms');
  expect(performance.now() - begunAtMs).toBeGreaterThan(55);
});

test('an answer that waits to be read while this process is busy is in time', async () => {
  const answer = new Promise((resolve) => setImmediate(resolve, 'here'));
  const judged = inTime(answer, 40);
  holdUpProcess(120);
  await expect(judged).resolves.toBe('here');
});
