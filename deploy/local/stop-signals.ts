/** A signal delivered twice in one keystroke, by the terminal and by a runner such as npm, is one request to stop. */
const SAME_KEYSTROKE_MS = 300;

/**
 * Aborts on the first SIGINT, SIGTERM or SIGHUP; another one after that calls `killNow`.
 */
export function whenToldToStop(killNow: () => void): AbortSignal {
  const stopping = new AbortController();
  let firstAt = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!stopping.signal.aborted) {
        firstAt = performance.now();
        stopping.abort();
      } else if (performance.now() - firstAt > SAME_KEYSTROKE_MS) {
        killNow();
      }
    });
  }
  return stopping.signal;
}

/** Resolves when the signal aborts, also when it has aborted before. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Whether the error says no more than that work was given up because the signal has aborted. */
export function isGivenUp(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && (error as Error).name === 'AbortError';
}
