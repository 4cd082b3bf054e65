import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import { ServedDataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { repeat } from '#platform/process/repeat.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { DatasetStore } from './dataset-store.ts';

/** How often the two records are compared. A change that NATS missed is stored there this soon after NATS is back. */
const COMPARE_PAUSE_MS = 30_000;
const PUBLISH_TIMEOUT_MS = 2_000;

interface ServedMemoryDependencies {
  js: JetStreamClient;
  jsm: JetStreamManager;
  store: DatasetStore;
  log: Logger;
}

/**
 * Keeps a copy of the served version's record in NATS. ClickHouse may lose the newest version together with the row
 * that names it as served, because of a broken disk or an old backup. Without the copy, an older version would then
 * answer unnoticed.
 */
export class ServedMemory {
  readonly #deps: ServedMemoryDependencies;

  constructor(deps: ServedMemoryDependencies) {
    this.#deps = deps;
  }

  /**
   * Synchronises the two records; the later one wins. A row that ClickHouse has lost is written to `market.served`
   * again, so that every process knows which version is missing.
   */
  async compare(): Promise<void> {
    const { store, log } = this.#deps;
    const [[stored], remembered] = await Promise.all([store.history(1), this.#remembered()]);
    const [storedMs, rememberedMs] = [stored, remembered].map((one) => one?.served_at?.getTime() ?? 0);
    if (stored && storedMs! > rememberedMs!) return this.#remember(stored);
    if (!remembered || rememberedMs === storedMs) return;
    const { version, served_at } = remembered;
    log.error(
      { version, served_at, last_known: stored?.version },
      'ClickHouse has lost the record of the served version; it is restored from NATS',
    );
    await store.restoreServed(remembered);
  }

  /** The same after a change. If NATS is unavailable, the change remains valid, and NATS is updated later. */
  async compareIfPossible(): Promise<void> {
    await this.compare().catch((error: unknown) => {
      const reason = (error as Error).message;
      this.#deps.log.warn({ reason }, 'which version to serve could not be stored in NATS yet');
    });
  }

  /** Compares regularly. Returns a function that stops it. */
  start(): () => Promise<void> {
    return repeat(
      'remembering which version to serve',
      COMPARE_PAUSE_MS,
      () => this.compare(),
      this.#deps.log,
    );
  }

  async #remembered(): Promise<ServedDataset | undefined> {
    const last_by_subj = subjects.datasetServed;
    const message = await this.#deps.jsm.streams.getMessage('DATASETS', { last_by_subj }).catch(unavailable);
    return message ? ServedDataset.decode(message.data) : undefined;
  }

  async #remember(served: ServedDataset): Promise<void> {
    const message = ServedDataset.encode(served).finish();
    await this.#deps.js
      .publish(subjects.datasetServed, message, { timeout: PUBLISH_TIMEOUT_MS })
      .catch(unavailable);
  }
}

function unavailable(cause: unknown): never {
  const message = 'NATS, which stores the version to serve, does not answer. Try again.';
  throw new ServiceError('data_unavailable', message, { cause });
}
