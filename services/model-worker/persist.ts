import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '#shared/logger.ts';
import { isAlreadyPublished } from '#shared/nats/already-published.ts';

export interface Persistence {
  /** Gives up this long after the first try. */
  forMs: number;
  log: Logger;
  /** Gives up at once. */
  signal?: AbortSignal;
}

const PAUSE_MS = 300;

/**
 * Tries until it works, over an outage of NATS. A refusal by the stream is an answer and is thrown at once.
 * @throws the last error when the time is over or the signal aborts
 */
export async function persist<T>(
  what: string,
  attempt: () => Promise<T>,
  { forMs, log, signal }: Persistence,
): Promise<T> {
  const giveUpAt = performance.now() + forMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (isAlreadyPublished(error) || signal?.aborted || performance.now() > giveUpAt) throw error;
      log.warn({ reason: (error as Error).message }, `${what} does not work yet`);
      await sleep(PAUSE_MS);
    }
  }
}
