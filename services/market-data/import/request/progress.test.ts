import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import { reported } from './progress.ts';

const outcome: ImportOutcome = {
  dataset: undefined,
  rejections: [],
  elapsed_ms: 1,
  findings: [],
  unchanged: false,
  unstored_rows: [],
};
const { signal } = new AbortController();

/** The API contract allows twice as long between two messages. */
const LONGEST_SILENCE_MS = 1_000;

test('progress comes every second, and after it the outcome', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'], fakeNodeBuiltins: true });
  onTestFinished(() => void vi.useRealTimers());
  const [cases, atMs]: [string[], number[]] = [[], [performance.now()]];
  const work = async () => {
    await sleep(10_100);
    return outcome;
  };
  const reading = (async () => {
    for await (const { event } of reported(work, signal)) {
      cases.push(event.$case);
      atMs.push(performance.now());
    }
  })();
  await vi.advanceTimersByTimeAsync(10_100);
  await reading;
  expect(cases.at(-1)).toBe('outcome');
  expect(new Set(cases.slice(0, -1))).toEqual(new Set(['progress']));
  const silences = atMs.slice(1).map((ms, i) => ms - atMs[i]!);
  expect(Math.max(...silences)).toBeLessThanOrEqual(LONGEST_SILENCE_MS);
});

test('when the consumer leaves, the import is aborted and cleans up before the stream ends', async () => {
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
