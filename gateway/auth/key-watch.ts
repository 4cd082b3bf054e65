import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { ApiKey } from '#proto/saring/keys/v1/keys.ts';
import type { ClientCall } from '../request/client-call.ts';
import type { Access } from '../declarations/route.ts';
import { requireEnabled, requireScope } from './authenticate.ts';
import type { KeyCache } from './key-cache.ts';

/** Two rounds plus the cache's soft lifetime are less than a second, the bound within which a change must take effect. */
export const ROUND_MS = 200;

/** What a response that stays open was let in with. */
interface Entry {
  secret: string;
  access: Access;
}

/**
 * Checks whether keys are still valid and have their scope, for responses that stay open after their request was let in. All
 * watchers of one entry share its look-ups, and the cache answers most of them.
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
   * Calls back once the entry is refused. An unavailable keys service does not count as a refusal.
   * @returns a function that ends the watch.
   */
  watch(entry: Entry, onRefused: () => void): () => void {
    const name = nameOf(entry);
    const watchers = this.#watchers.get(name) ?? this.#begin(entry);
    watchers.add(onRefused);
    return () => {
      watchers.delete(onRefused);
      if (watchers.size === 0 && this.#watchers.get(name) === watchers) this.#watchers.delete(name);
    };
  }

  /** Whether a request would be let in now. False if the keys service does not answer. */
  async isLetIn(entry: Entry): Promise<boolean> {
    return (await this.#refusalOf(entry)) === undefined;
  }

  /**
   * Does work for a call that is held open, and ends the call once its key is refused.
   * @throws ServiceError as a new request with the key would be refused now
   */
  async whileLetIn<T>(call: ClientCall, access: Access, work: () => Promise<T>): Promise<T> {
    const entry = { secret: call.secret, access };
    const unwatch = this.watch(entry, () => call.end());
    try {
      const done = await work();
      const refusal = await this.#refusalOf(entry);
      if (isRefusal(refusal)) throw refusal;
      return done;
    } finally {
      unwatch();
    }
  }

  get size(): number {
    return this.#watchers.size;
  }

  #begin(entry: Entry): Set<() => void> {
    const watchers = new Set<() => void>();
    this.#watchers.set(nameOf(entry), watchers);
    void this.#keepAsking(entry, watchers);
    return watchers;
  }

  async #keepAsking(entry: Entry, watchers: Set<() => void>): Promise<void> {
    while (this.#watchers.get(nameOf(entry)) === watchers) {
      await sleep(this.#roundMs, undefined, { ref: false });
      if (watchers.size > 0 && isRefusal(await this.#refusalOf(entry)))
        for (const refuse of [...watchers]) refuse();
    }
  }

  /** Why a request would not be let in now. */
  async #refusalOf({ secret, access }: Entry): Promise<unknown> {
    try {
      const key: ApiKey = await this.#keys.find(secret);
      requireEnabled(key);
      requireScope(access, key);
      return undefined;
    } catch (error) {
      return error;
    }
  }
}

const nameOf = ({ secret, access }: Entry) => `${access} ${secret}`;

const REFUSALS = ['invalid_api_key', 'key_disabled', 'insufficient_scope'];

/** Whether the key is refused; otherwise the keys service does not answer. */
function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && REFUSALS.includes(error.code);
}
