/** One keystroke can deliver a signal twice, from the terminal and from a runner such as npm. That counts as one request. */
const SAME_KEYSTROKE_MS = 300;

/** Aborts on the first SIGINT, SIGTERM or SIGHUP. A later one calls `killNow`. */
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

/** Resolves when the signal aborts, or immediately if it already has. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Whether the error only means that work was cancelled because the signal has aborted. */
export function isGivenUp(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && (error as Error).name === 'AbortError';
}
