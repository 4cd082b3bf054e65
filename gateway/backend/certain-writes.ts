import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '#foundation/errors/service-error.ts';

/**
 * How much longer than a single call's timeout a write with unknown outcome is retried. A service that was killed is
 * back within a second or two, and a caller gets an answer within ten seconds.
 */
export const SETTLE_WITHIN_MS = 3_500;
const PAUSE_MS = 150;

/**
 * Makes one write, with more than one request if needed. While the outcome is unknown, `attempt` is repeated and must
 * carry the same submission id each time. Its response is then that of the write, whichever attempt did it.
 * @throws ServiceError as the last attempt does. It is in doubt only if time ran out before the outcome was known.
 */
export async function untilCertain<T>(
  attempt: (timeoutMs: number) => Promise<T>,
  timeoutMs: number,
): Promise<T> {
  const endsAtMs = performance.now() + timeoutMs + SETTLE_WITHIN_MS;
  let isInDoubt = false;
  for (;;) {
    const leftMs = endsAtMs - performance.now();
    try {
      return await attempt(Math.min(timeoutMs, leftMs));
    } catch (error) {
      if (!(error instanceof ServiceError) || error.httpStatus !== 503) throw error;
      // If this attempt is known to have written nothing, earlier ones may still have written.
      isInDoubt ||= error.isInDoubt;
      if (!isInDoubt) throw error;
      if (endsAtMs - performance.now() < 2 * PAUSE_MS)
        throw new ServiceError(error.code, error.message, { cause: error, isInDoubt });
    }
    await sleep(PAUSE_MS);
  }
}
