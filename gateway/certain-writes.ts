import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '#shared/service-error.ts';

/**
 * How much longer than a single call a write of unknown outcome is tried: a service that was killed is back
 * within a second or two, and a caller is answered within ten.
 */
export const SETTLE_WITHIN_MS = 3_500;
const PAUSE_MS = 150;

/**
 * Writes once by asking, if need be, more than once: while the outcome is in doubt, `attempt` is made again, which must
 * carry the same submission id each time. Its answer is then that of the write, whichever attempt did it.
 * @throws ServiceError as the last attempt does; it is in doubt only when time ran out before anybody could say.
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
      // That one attempt is known to have written nothing says nothing of those before it.
      isInDoubt ||= error.isInDoubt;
      if (!isInDoubt) throw error;
      if (endsAtMs - performance.now() < 2 * PAUSE_MS) throw inDoubt(error);
    }
    await sleep(PAUSE_MS);
  }
}

function inDoubt(cause: ServiceError): ServiceError {
  const message =
    'No answer came, and whether this was carried out is not known. Repeat the request with the same Idempotency-Key.';
  return new ServiceError(cause.code, message, { cause, isInDoubt: true });
}
