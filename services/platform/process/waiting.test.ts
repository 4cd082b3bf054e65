import { expect, test } from 'vitest';
import { inTime } from './waiting.ts';

function holdUpProcess(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

test('an answer or a failure in time is passed on', async () => {
  await expect(inTime(Promise.resolve('here'), 1_000)).resolves.toBe('here');
  await expect(inTime(Promise.reject(new Error('refused')), 1_000)).rejects.toThrow('refused');
});

test('a missing answer fails at the deadline', async () => {
  const begunAtMs = performance.now();
  await expect(inTime(new Promise(() => {}), 60)).rejects.toThrow('no answer within 60 ms');
  expect(performance.now() - begunAtMs).toBeGreaterThan(55);
});

test('an answer that arrives while the process is busy counts as in time', async () => {
  const response = new Promise((resolve) => setImmediate(resolve, 'here'));
  const judged = inTime(response, 40);
  holdUpProcess(120);
  await expect(judged).resolves.toBe('here');
});
