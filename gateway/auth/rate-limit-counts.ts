export const WINDOW_MS = 60_000;

/** The count of an id at one moment. */
export interface Count {
  hits: number;
  /** How long until counting starts again at zero. */
  resetInMs: number;
}

export interface Spent extends Count {
  /** Whether the amount was added. */
  fits: boolean;
}

/** Counts each id within its current minute. A minute begins with the id's first count. */
export interface Counts {
  /** Adds one to the count. */
  increment: (id: string) => Count | Promise<Count>;
  /** Adds as much as `amount`, or nothing if the count would exceed `limit`. A negative amount takes some of the count back. */
  spend: (id: string, amount: number, limit: number) => Spent | Promise<Spent>;
  /** The count so far. */
  get: (id: string) => Count | undefined | Promise<Count | undefined>;
  stop: () => void;
}

interface Window {
  hits: number;
  endsAtMs: number;
}

/** Counts of this process only. Synchronous: a count read one event-loop turn later could include later requests. */
export class MemoryCounts implements Counts {
  /** The current minute of each id, in the order in which the minutes end. */
  readonly #windows = new Map<string, Window>();
  readonly #nowMs: () => number;
  readonly #maxIds: number;

  /**
   * @param nowMs A monotonic clock. The machine's clock may be set back, which would make a minute last for hours.
   * @param maxIds How many ids are counted at the same time. One more replaces the id whose minute ends first.
   */
  constructor(nowMs: () => number = () => performance.now(), maxIds = Infinity) {
    this.#nowMs = nowMs;
    this.#maxIds = maxIds;
  }

  increment(id: string): Count {
    const nowMs = this.#nowMs();
    const window = this.#open(id, nowMs) ?? this.#begin(id, nowMs);
    return { hits: ++window.hits, resetInMs: window.endsAtMs - nowMs };
  }

  spend(id: string, amount: number, limit: number): Spent {
    const nowMs = this.#nowMs();
    const window = this.#open(id, nowMs) ?? this.#begin(id, nowMs);
    const fits = window.hits + amount <= limit;
    if (fits) window.hits = Math.max(0, window.hits + amount);
    return { fits, hits: window.hits, resetInMs: window.endsAtMs - nowMs };
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

  /** Drops the windows that have ended, so that the map holds only ids of the last minute, and no more than `maxIds`. */
  #begin(id: string, nowMs: number): Window {
    for (const [oldest, { endsAtMs }] of this.#windows) {
      if (endsAtMs > nowMs && this.#windows.size < this.#maxIds) break;
      this.#windows.delete(oldest);
    }
    const window = { hits: 0, endsAtMs: nowMs + WINDOW_MS };
    this.#windows.set(id, window);
    return window;
  }
}

/** Whole seconds to wait, at least one: a client that returned immediately would be refused again. */
export function secondsToWait({ resetInMs }: Count): number {
  // Floating-point error can make the rest of a whole minute slightly longer than a minute.
  return Math.max(1, Math.ceil(Math.round(resetInMs) / 1_000));
}
