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
