export const WINDOW_MS = 60_000;

/** What was counted of an id at one moment. */
export interface Count {
  hits: number;
  /** How long until counting begins anew. */
  resetInMs: number;
}

/** How often each id was counted within its present minute, which begins when it is first counted. */
export interface Counts {
  /** Counts it once more. */
  increment: (id: string) => Count | Promise<Count>;
  /** What was counted so far. */
  get: (id: string) => Count | undefined | Promise<Count | undefined>;
  stop: () => void;
}

interface Window {
  hits: number;
  endsAtMs: number;
}

/** Counts of this process alone. It answers at once: what were read a turn later could count later requests too. */
export class MemoryCounts implements Counts {
  /** The present minute of each id, in the order in which they end. */
  readonly #windows = new Map<string, Window>();
  readonly #nowMs: () => number;

  /** @param nowMs A monotonic clock: a machine's time may be set back, which would make a minute last for hours. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  increment(id: string): Count {
    const nowMs = this.#nowMs();
    const window = this.#open(id, nowMs) ?? this.#begin(id, nowMs);
    return { hits: ++window.hits, resetInMs: window.endsAtMs - nowMs };
  }

  get(id: string): Count | undefined {
    const nowMs = this.#nowMs();
    const window = this.#open(id, nowMs);
    return window && { hits: window.hits, resetInMs: window.endsAtMs - nowMs };
  }

  stop(): void {
    this.#windows.clear();
  }

  get size(): number {
    return this.#windows.size;
  }

  #open(id: string, nowMs: number): Window | undefined {
    const window = this.#windows.get(id);
    return window && window.endsAtMs > nowMs ? window : undefined;
  }

  /** Drops the windows that have ended, so that there are never more than ids of one minute. */
  #begin(id: string, nowMs: number): Window {
    for (const [ended, { endsAtMs }] of this.#windows) {
      if (endsAtMs > nowMs) break;
      this.#windows.delete(ended);
    }
    const window = { hits: 0, endsAtMs: nowMs + WINDOW_MS };
    this.#windows.set(id, window);
    return window;
  }
}

/** Whole seconds to wait; at least one: a client that comes back at once would be refused again. */
export function secondsToWait({ resetInMs }: Count): number {
  return Math.max(1, Math.ceil(resetInMs / 1_000));
}
