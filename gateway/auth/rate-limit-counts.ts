import type { Logger } from '#shared/logger.ts';
import type { GatewayConfig } from '../config.ts';

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
  readonly #maxIds: number;

  /**
   * @param nowMs A monotonic clock: a machine's time may be set back, which would make a minute last for hours.
   * @param maxIds How many are counted at once; one more takes the place of the one whose minute ends first.
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

  /** Drops the windows that have ended, so that there are never more than ids of one minute, nor more than allowed. */
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

/** Whole seconds to wait; at least one: a client that comes back at once would be refused again. */
export function secondsToWait({ resetInMs }: Count): number {
  // A clock's fractions do not add up: what is left of a whole minute may be a little more than one.
  return Math.max(1, Math.ceil(Math.round(resetInMs) / 1_000));
}

/** The counts of all gateways where a Redis is named, else those of this one. */
export async function openCounts(
  config: Pick<GatewayConfig, 'RATE_LIMIT_REDIS_URL' | 'RATE_LIMIT_REDIS_TIMEOUT_MS'>,
  log: Logger,
): Promise<Counts> {
  const { RATE_LIMIT_REDIS_URL: url, RATE_LIMIT_REDIS_TIMEOUT_MS: patienceMs } = config;
  if (!url) return new MemoryCounts();
  // Redis' client is a quarter of all modules of a gateway: loaded only where it is used.
  const { SharedCounts } = await import('./rate-limit-shared.ts');
  return SharedCounts.open({ url, patienceMs, log });
}
