import type { Logger } from '../operations/logger.ts';

/**
 * Runs a task repeatedly with a pause after each run, so that a slow run never overlaps the next one. Failures are logged when
 * they begin and when they are over. Returns a function that stops the task and waits for a running one.
 */
export function repeat(
  name: string,
  pauseMs: number,
  task: () => Promise<unknown>,
  log: Logger,
): () => Promise<void> {
  let [stopped, failing] = [false, false];
  let timer: NodeJS.Timeout | undefined;
  const round = async () => {
    try {
      await task();
      if (failing) log.info(`${name} works again`);
      failing = false;
    } catch (error) {
      if (!failing) log.warn({ reason: (error as Error).message }, `${name} fails; trying again`);
      failing = true;
    }
    if (!stopped) timer = setTimeout(() => void (current = round()), pauseMs);
  };
  let current = round();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await current;
  };
}
