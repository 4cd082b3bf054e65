import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../operations/logger.ts';

const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1_000;
/** How long a start waits for a dependency: on a busy machine, everything at once may take minutes. */
export const START_PATIENCE_MS = 5 * 60_000;
/** How long it waits while the dependency refuses, which somebody who sets it up at the same time may still change. */
export const REFUSAL_PATIENCE_MS = 30_000;

interface Waiting {
  log?: Pick<Logger, 'info'> | undefined;
  /** How long after the first attempt this failure is still followed by another attempt; after 0 ms it is thrown as it is. */
  patienceMs?: (error: unknown) => number;
}

/**
 * Tries again until the attempt succeeds, for dependencies that may start later than this process.
 * @throws Error naming the dependency and its last failure once the patience is over
 */
export async function waitFor<T>(
  what: string,
  attempt: () => Promise<T>,
  { log, patienceMs = () => START_PATIENCE_MS }: Waiting,
): Promise<T> {
  const begun = performance.now();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    try {
      return await attempt();
    } catch (error) {
      const message = error instanceof Error ? error.message || error.constructor.name : String(error);
      const timeoutMs = patienceMs(error);
      if (timeoutMs === 0) throw error;
      if (performance.now() + pauseMs > begun + timeoutMs) {
        throw new Error(`${what} did not answer within ${timeoutMs / 1000} s: ${message}`, { cause: error });
      }
      log?.info({ reason: message }, `waiting for ${what}`);
      await sleep(pauseMs);
    }
  }
}

/** A response did not come in time. It may still come later. */
export class Overdue extends Error {
  override readonly name = 'Overdue';
}

/**
 * Waits for the response, but not longer than `timeoutMs`. The time is measured in two halves. After a long turn of this process,
 * Node runs timers before it reads data that has arrived meanwhile, so such a turn can use up only one half.
 * @throws the failure of the response, or `failure` once the time is over; the response is then ignored
 */
export function inTime<T>(
  response: Promise<T>,
  timeoutMs: number,
  failure: () => Error = () => new Overdue(`no answer within ${timeoutMs} ms`),
): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(failure());
    let timer = setTimeout(() => (timer = setTimeout(late, timeoutMs / 2)), timeoutMs / 2);
    response.then(
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

/** Whether the work ended within this time. If not, it continues. Throws if the work fails in time. */
export async function endedWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise: overdue, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  try {
    return await Promise.race([work.then(() => true), overdue]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for `ms` milliseconds, or until `signal` aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
