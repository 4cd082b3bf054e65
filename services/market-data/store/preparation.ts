import type { ClickHouseClient } from '#shared/clickhouse/clickhouse.ts';
import { migrateClickHouse } from '#shared/clickhouse/migrate.ts';
import type { Logger } from '#shared/logger.ts';
import { ServiceError } from '#shared/service-error.ts';
import type { StoreTurn } from '../import/store-turn.ts';
import { removeLeftovers } from './removals.ts';
import { migrations } from './migrations/index.ts';
import { pause } from '#shared/waiting.ts';

const PAUSE_MS = 1_000;

/** Brings the store to the state the service needs: its tables, and nothing of imports that died. Once a start. */
export class StorePreparation {
  readonly #client: ClickHouseClient;
  readonly #turn: StoreTurn;
  readonly #beforeRemovals: () => Promise<void>;
  readonly #stopped = new AbortController();
  #preparing: Promise<void> | undefined;

  /** @param beforeRemovals runs on the tables as they were left, before anything is removed from them */
  constructor(client: ClickHouseClient, turn: StoreTurn, beforeRemovals: () => Promise<void>) {
    this.#client = client;
    this.#turn = turn;
    this.#beforeRemovals = beforeRemovals;
  }

  /** Returns when the store is ready, at once when it was before. A failure is tried again by the next call. */
  ready(): Promise<void> {
    this.#preparing ??= this.#prepare().catch((error: unknown) => {
      this.#preparing = undefined;
      throw error;
    });
    return this.#preparing;
  }

  /** Tries until it works or `stop` is called. Whether it is ready. */
  async untilReady(log: Logger): Promise<boolean> {
    const { signal } = this.#stopped;
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      try {
        await this.ready();
        return !signal.aborted;
      } catch (error) {
        const reason = (error as Error).message;
        if (isFirst) log.warn({ reason }, 'the store cannot be prepared yet, trying until it can');
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
    await this.#turn
      .during('the start of a copy', () => removeLeftovers(this.#client))
      .catch((error: unknown) => {
        // What is left over belongs to the import of another copy, or goes before the next one.
        if (!(error instanceof ServiceError) || error.code !== 'import_rejected') throw error;
      });
  }
}
