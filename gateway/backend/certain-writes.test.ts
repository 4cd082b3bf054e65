import { expect, test, vi } from 'vitest';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { settings } from '../config.ts';
import { SETTLE_WITHIN_MS, untilCertain } from './services.ts';

const failure = (isInDoubt: boolean) => new ServiceError('model_unavailable', 'No.', { isInDoubt });
const [DOUBT, NOTHING_DONE] = [failure(true), failure(false)];
const CONFLICT = new ServiceError('idempotency_conflict', 'Another.');

/** A write whose attempts end like this, one after the other. The last end repeats. */
function writing(...ends: (string | Error)[]) {
  const timeouts: number[] = [];
  const attempt = async (timeoutMs: number) => {
    const end = ends[Math.min(timeouts.push(timeoutMs), ends.length) - 1]!;
    if (typeof end === 'string') return end;
    throw end;
  };
  return { timeouts, attempt };
}

/** Advances a fake clock until the write fails. */
async function failureOf(write: () => Promise<unknown>): Promise<{ failure: unknown; tookMs: number }> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'], fakeNodeBuiltins: true });
  try {
    const begun = performance.now();
    let failure: unknown;
    write().catch((error: unknown) => (failure = error));
    while (failure === undefined) await vi.advanceTimersByTimeAsync(10);
    return { failure, tookMs: performance.now() - begun };
  } finally {
    vi.useRealTimers();
  }
}

test('a certain outcome is returned after one attempt: success, refusal or nothing done', async () => {
  for (const end of ['done', CONFLICT, NOTHING_DONE]) {
    const { attempt, timeouts } = writing(end);
    expect(await untilCertain(attempt, 5_000).catch((error: unknown) => error)).toBe(end);
    expect(timeouts).toEqual([5_000]);
  }
});

test('a write in doubt is retried until it succeeds or is refused, even after an attempt that did nothing', async () => {
  for (const end of ['done', CONFLICT]) {
    const { attempt, timeouts } = writing(DOUBT, NOTHING_DONE, DOUBT, end);
    expect(await untilCertain(attempt, 5_000).catch((error: unknown) => error)).toBe(end);
    expect(timeouts).toHaveLength(4);
  }
});

test('a write still in doubt when time runs out is reported as such, and no attempt exceeds its timeout', async () => {
  const { attempt, timeouts } = writing(DOUBT, NOTHING_DONE);
  const { failure, tookMs } = await failureOf(() => untilCertain(attempt, 200));
  expect(failure).toMatchObject({ code: 'model_unavailable', isInDoubt: true });
  expect(tookMs).toBeGreaterThan(SETTLE_WITHIN_MS - 500);
  expect(tookMs).toBeLessThanOrEqual(200 + SETTLE_WITHIN_MS);
  expect(Math.max(...timeouts)).toBeLessThanOrEqual(200);
});

test('by default a caller gets an answer within ten seconds, even if nothing answers', () => {
  const timeoutMs = settings.DOWNSTREAM_TIMEOUT_MS.default as number;
  expect(timeoutMs + SETTLE_WITHIN_MS).toBeLessThan(10_000 - 1_000);
});
