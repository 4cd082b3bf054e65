import { expect, test } from 'vitest';
import { ServiceError } from '#shared/service-error.ts';
import { SETTLE_WITHIN_MS, untilCertain } from './certain-writes.ts';

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

test('a certain outcome is returned after one attempt: success, refusal or nothing done', async () => {
  for (const end of ['done', CONFLICT, NOTHING_DONE]) {
    const { attempt, timeouts } = writing(end);
    expect(await untilCertain(attempt, 5_000, 'key').catch((error: unknown) => error)).toBe(end);
    expect(timeouts).toEqual([5_000]);
  }
});

test('a write in doubt is retried until it succeeds or is refused, even after an attempt that did nothing', async () => {
  for (const end of ['done', CONFLICT]) {
    const { attempt, timeouts } = writing(DOUBT, NOTHING_DONE, DOUBT, end);
    expect(await untilCertain(attempt, 5_000, 'key').catch((error: unknown) => error)).toBe(end);
    expect(timeouts).toHaveLength(4);
  }
});

test('a write still in doubt when time runs out is reported as such, and no attempt exceeds its timeout', async () => {
  const { attempt, timeouts } = writing(DOUBT, NOTHING_DONE);
  const begun = performance.now();
  await expect(untilCertain(attempt, 200, 'key')).rejects.toMatchObject({
    code: 'model_unavailable',
    isInDoubt: true,
    message: expect.stringContaining('same Idempotency-Key') as string,
  });
  expect(performance.now() - begun).toBeGreaterThan(SETTLE_WITHIN_MS - 500);
  expect(Math.max(...timeouts)).toBeLessThanOrEqual(200);
});

test('a write in doubt without an Idempotency-Key does not speak of one', async () => {
  const failed = (await untilCertain(writing(DOUBT).attempt, 0, undefined).catch(
    (error: unknown) => error,
  )) as ServiceError;
  expect([failed.code, failed.isInDoubt]).toEqual(['model_unavailable', true]);
  expect(failed.message).toMatch(/^No answer came, so it is unknown whether this was carried out\. /);
  expect(failed.message).not.toMatch(/Idempotency/i);
});
