import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from './logger.ts';

const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1_000;

/**
 * Tries until it works, for dependencies that may start later than this process.
 * @throws Error naming the dependency and its last answer once `timeoutMs` has passed.
 */
export async function waitFor<T>(
  what: string,
  attempt: () => Promise<T>,
  { log, timeoutMs = 30_000 }: { log: Logger; timeoutMs?: number },
): Promise<T> {
  const giveUpAt = Date.now() + timeoutMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    try {
      return await attempt();
    } catch (error) {
      const message = error instanceof Error ? error.message || error.constructor.name : String(error);
      if (Date.now() + pauseMs > giveUpAt) {
        throw new Error(`${what} did not answer within ${timeoutMs / 1000} s: ${message}`, { cause: error });
      }
      log.info({ reason: message }, `waiting for ${what}`);
      await sleep(pauseMs);
    }
  }
}

/** What did not come in time; whether it still comes is unknown. */
export class Overdue extends Error {
  override readonly name = 'Overdue';
}

/**
 * The answer, unless it takes longer than that. The time is measured in two halves: a long turn of this process, after
 * which Node runs timers before it reads what has arrived meanwhile, ends one of them at most.
 * @throws what the answer fails with, or `failure` once the time is over; the answer itself is then ignored.
 */
export function inTime<T>(
  answer: Promise<T>,
  timeoutMs: number,
  failure: () => Error = () => new Overdue(`no answer within ${timeoutMs} ms`),
): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(failure());
    let timer = setTimeout(() => (timer = setTimeout(late, timeoutMs / 2)), timeoutMs / 2);
    answer.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: Error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

/** Whether the work has ended within this time. It goes on if not; its failure is thrown. */
export async function endedWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise: overdue, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  try {
    return await Promise.race([work.then(() => true), overdue]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits so long, or until `signal` ends the wait. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
