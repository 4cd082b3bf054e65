export const WINDOW_MS = 60_000;

/** What was counted of an id at one moment. */
export interface Count {
  hits: number;
  /** When counting begins anew, as Unix time. */
  resetAtMs: number;
}

/** How often each id was counted within its present minute, which begins when it is first counted. */
export interface Counts {
  /** Counts it once more. */
  increment: (id: string) => Count | Promise<Count>;
  /** What was counted so far. */
  get: (id: string) => Count | undefined | Promise<Count | undefined>;
  stop: () => void;
}

/** Counts of this process alone. It answers at once: what were read a turn later could count later requests too. */
export class MemoryCounts implements Counts {
  /** The present minute of each id, in the order in which they end. */
  readonly #windows = new Map<string, Count>();
  readonly #nowMs: () => number;

  /** @param nowMs Unix time */
  constructor(nowMs: () => number = Date.now) {
    this.#nowMs = nowMs;
  }

  increment(id: string): Count {
    const nowMs = this.#nowMs();
    const window = this.#open(id, nowMs) ?? this.#begin(id, nowMs);
    return { hits: ++window.hits, resetAtMs: window.resetAtMs };
  }

  get(id: string): Count | undefined {
    const window = this.#open(id, this.#nowMs());
    return window && { ...window };
  }

  stop(): void {
    this.#windows.clear();
  }

  get size(): number {
    return this.#windows.size;
  }

  #open(id: string, nowMs: number): Count | undefined {
    const window = this.#windows.get(id);
    return window && window.resetAtMs > nowMs ? window : undefined;
  }

  /** Drops the windows that have ended, so that there are never more than ids of one minute. */
  #begin(id: string, nowMs: number): Count {
    for (const [ended, { resetAtMs }] of this.#windows) {
      if (resetAtMs > nowMs) break;
      this.#windows.delete(ended);
    }
    const window = { hits: 0, resetAtMs: nowMs + WINDOW_MS };
    this.#windows.set(id, window);
    return window;
  }
}

/** Whole seconds until then; at least one: a client that comes back at once would be refused again. */
export function secondsUntil(momentMs: number): number {
  return Math.max(1, Math.ceil((momentMs - Date.now()) / 1_000));
}
