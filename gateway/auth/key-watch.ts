import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '#shared/service-error.ts';
import type { KeyCache } from './key-cache.ts';

/** With two rounds on top of the soft lifetime of what the cache knows, a change is heard of within a second. */
const ROUND_MS = 200;

type Standing = 'let in' | 'refused' | 'not known';

/**
 * Whether secrets are still let in, for what stays open after its request was. Everybody who watches a secret shares
 * its questions, and the cache answers most of them.
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
   * Calls back once the secret is refused, and not while that is unknown: a keys service that is away ends
   * nothing. Returns how to leave.
   */
  watch(secret: string, onRefused: () => void): () => void {
    const watchers = this.#watchers.get(secret) ?? this.#begin(secret);
    watchers.add(onRefused);
    return () => {
      watchers.delete(onRefused);
      if (watchers.size === 0 && this.#watchers.get(secret) === watchers) this.#watchers.delete(secret);
    };
  }

  /** Whether a request with it would be let in now; not when the keys service does not answer. */
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
