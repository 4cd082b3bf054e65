import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { migrateClickHouse } from '#platform/clickhouse/migrate.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { StoreLease } from './store-lease.ts';
import { removeLeftovers } from './removals.ts';
import { migrations } from './migrations/index.ts';
import { pause } from '#platform/process/waiting.ts';

const PAUSE_MS = 1_000;

/** Prepares the store once per start: creates or migrates its tables, and removes the leftovers of crashed imports. */
export class StorePreparation {
  readonly #client: ClickHouseClient;
  readonly #lease: StoreLease;
  readonly #beforeRemovals: () => Promise<void>;
  readonly #stopped = new AbortController();
  #preparing: Promise<void> | undefined;

  /** @param beforeRemovals runs after the migration, before anything is removed */
  constructor(client: ClickHouseClient, lease: StoreLease, beforeRemovals: () => Promise<void>) {
    this.#client = client;
    this.#lease = lease;
    this.#beforeRemovals = beforeRemovals;
  }

  /** Resolves when the store is ready, immediately if it already is. After a failure, the next call tries again. */
  ready(): Promise<void> {
    this.#preparing ??= this.#prepare().catch((error: unknown) => {
      this.#preparing = undefined;
      throw error;
    });
    return this.#preparing;
  }

  /** Retries until the store is ready or `stop` is called. Returns whether it is ready. */
  async untilReady(log: Logger): Promise<boolean> {
    const { signal } = this.#stopped;
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      try {
        await this.ready();
        return !signal.aborted;
      } catch (error) {
        const reason = (error as Error).message;
        if (isFirst) log.warn({ reason }, 'the store cannot be prepared yet; trying again until it can');
        await pause(PAUSE_MS, signal);
      }
    }
    return false;
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #prepare(): Promise<void> {
    await migrateClickHouse(this.#client, 'market', migrations);
    await this.#beforeRemovals();
    await this.#lease
      .during('the start of a copy', () => removeLeftovers(this.#client))
      .catch((error: unknown) => {
        // Another copy has the lock. The leftovers belong to its import, or are removed before the next import.
        if (!(error instanceof ServiceError) || error.code !== 'import_rejected') throw error;
      });
  }
}
