import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import { reported } from './progress.ts';

const outcome: ImportOutcome = {
  dataset: undefined,
  rejections: [],
  elapsed_ms: 1,
  findings: [],
  unchanged: false,
};
const { signal } = new AbortController();

test('progress comes until the outcome, which is last', async () => {
  const cases: string[] = [];
  const work = async () => {
    await sleep(1_200);
    return outcome;
  };
  for await (const { event } of reported(work, signal)) cases.push(event.$case);
  expect(cases.at(-1)).toBe('outcome');
  expect(new Set(cases.slice(0, -1))).toEqual(new Set(['progress']));
});

test('a failure ends it with the failure', async () => {
  const events = reported(() => Promise.reject(new Error('broken')), signal);
  await expect(events.next()).rejects.toThrow('broken');
});

test('when nobody listens any more the work is stopped, and has cleaned up before it ends', async () => {
  let isCleanedUp = false;
  const work = async ({ signal: left }: { signal: AbortSignal }) => {
    await sleep(10_000, undefined, { signal: left }).catch(() => {});
    await sleep(50);
    isCleanedUp = true;
    return outcome;
  };
  for await (const { event } of reported(work, signal)) {
    expect(event.$case).toBe('progress');
    break;
  }
  expect(isCleanedUp).toBe(true);
});
