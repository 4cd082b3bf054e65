import type { Logger } from './logger.ts';

/**
 * Runs a task again and again with a pause after each run, so that a slow one never overlaps itself. A failure is
 * logged when it begins and when it is over. Returns how to stop; stopping waits for a run that is under way.
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
      if (!failing) log.warn({ reason: (error as Error).message }, `${name} does not work; trying again`);
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
