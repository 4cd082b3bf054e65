import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '#shared/service-error.ts';
import type { KeyCache } from './key-cache.ts';

/** Two rounds plus the cache's soft lifetime are less than a second, the bound within which a change must take effect. */
const ROUND_MS = 200;

type Standing = 'let in' | 'refused' | 'not known';

/**
 * Checks whether secrets are still valid, for responses that stay open after their request was let in. All watchers
 * of a secret share its look-ups, and the cache answers most of them.
 */
export class KeyWatch {
  readonly #keys: Pick<KeyCache, 'find'>;
  readonly #roundMs: number;
  readonly #watchers = new Map<string, Set<() => void>>();

  constructor(keys: Pick<KeyCache, 'find'>, roundMs = ROUND_MS) {
    this.#keys = keys;
    this.#roundMs = roundMs;
  }

  /**
   * Calls back once the secret is refused. An unavailable keys service does not count as a refusal.
   * @returns a function that ends the watch.
   */
  watch(secret: string, onRefused: () => void): () => void {
    const watchers = this.#watchers.get(secret) ?? this.#begin(secret);
    watchers.add(onRefused);
    return () => {
      watchers.delete(onRefused);
      if (watchers.size === 0 && this.#watchers.get(secret) === watchers) this.#watchers.delete(secret);
    };
  }

  /** Whether a request with this secret would be let in now. False if the keys service does not answer. */
  async isLetIn(secret: string): Promise<boolean> {
    return (await this.#standingOf(secret)) === 'let in';
  }

  get size(): number {
    return this.#watchers.size;
  }

  #begin(secret: string): Set<() => void> {
    const watchers = new Set<() => void>();
    this.#watchers.set(secret, watchers);
    void this.#keepAsking(secret, watchers);
    return watchers;
  }

  async #keepAsking(secret: string, watchers: Set<() => void>): Promise<void> {
    while (this.#watchers.get(secret) === watchers) {
      await sleep(this.#roundMs, undefined, { ref: false });
      if (watchers.size > 0 && (await this.#standingOf(secret)) === 'refused')
        for (const refuse of [...watchers]) refuse();
    }
  }

  async #standingOf(secret: string): Promise<Standing> {
    try {
      const { disabled } = await this.#keys.find(secret);
      return disabled ? 'refused' : 'let in';
    } catch (error) {
      return error instanceof ServiceError && error.code === 'invalid_api_key' ? 'refused' : 'not known';
    }
  }
}
