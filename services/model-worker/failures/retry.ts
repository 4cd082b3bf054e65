import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '#platform/operations/logger.ts';

interface RetryOptions {
  /** Gives up this long after the first attempt. */
  forMs: number;
  /** Whether another attempt may succeed after this error. */
  mayPass: (error: Error) => boolean;
  pauseMs?: number;
}

const PAUSE_MS = 300;

/**
 * Retries until the attempt succeeds, to survive an outage of a dependency.
 * @throws the last error when time is over or a retry makes no sense
 */
export async function retry<T>(
  attempt: () => Promise<T>,
  { forMs, mayPass, pauseMs = PAUSE_MS }: RetryOptions,
): Promise<T> {
  const giveUpAt = performance.now() + forMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > giveUpAt || !mayPass(error as Error)) throw error;
      await sleep(pauseMs);
    }
  }
}

/** Retries during an outage of NATS, until `signal` aborts. */
export function retryOnNats<T>(
  what: string,
  attempt: () => Promise<T>,
  { forMs, log, signal }: { forMs: number; log: Logger; signal: AbortSignal },
): Promise<T> {
  return retry(attempt, {
    forMs,
    mayPass: (error) => {
      if (signal.aborted) return false;
      log.warn({ reason: error.message }, `${what} does not work yet`);
      return true;
    },
  });
}
