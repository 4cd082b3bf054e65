import { setTimeout as sleep } from 'node:timers/promises';
import { migrateClickHouse, type ClickHouseClient } from '#shared/clickhouse.ts';
import type { Logger } from '#shared/logger.ts';
import { removeLeftovers } from './leftovers.ts';
import { migrations } from './migrations/index.ts';

const PAUSE_MS = 1_000;

/** Brings the store to the state the service needs: its tables, and nothing of imports that died. Once a start. */
export class StorePreparation {
  readonly #client: ClickHouseClient;
  #preparing: Promise<void> | undefined;

  constructor(client: ClickHouseClient) {
    this.#client = client;
  }

  /** Returns when the store is ready, at once when it was before. A failure is tried again by the next call. */
  ready(): Promise<void> {
    this.#preparing ??= this.#prepare().catch((error: unknown) => {
      this.#preparing = undefined;
      throw error;
    });
    return this.#preparing;
  }

  /** Tries until it works: the service starts, and stays, while ClickHouse is away. */
  async untilReady(log: Logger, signal: AbortSignal): Promise<void> {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      try {
        return await this.ready();
      } catch (error) {
        const reason = (error as Error).message;
        if (isFirst) log.warn({ reason }, 'the store cannot be prepared yet, trying until it can');
        await sleep(PAUSE_MS, undefined, { signal }).catch(() => {});
      }
    }
  }

  async #prepare(): Promise<void> {
    await migrateClickHouse(this.#client, 'market', migrations);
    await removeLeftovers(this.#client);
  }
}
