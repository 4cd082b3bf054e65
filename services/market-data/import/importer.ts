import { randomBytes } from 'node:crypto';
import type { Dataset, ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import type { Clock } from '#shared/clock.ts';
import { jakartaDay } from '#shared/jakarta-time.ts';
import type { Logger } from '#shared/logger.ts';
import { ServiceError } from '#shared/service-error.ts';
import type { DatasetStore } from '../store/dataset-store.ts';
import { removeLeftovers } from '../store/leftovers.ts';
import type { ArchivedFile } from './archive.ts';
import { refuseRows } from './cleaning.ts';
import type { Progress } from './progress.ts';
import { publish } from './publish.ts';
import { stageFiles } from './stage-files.ts';
import { Staging } from './staging.ts';
import { NO_BROKER_ROWS, type StoreBrokerRows } from './stored-broker-rows.ts';

export interface ImportSource {
  kind: string;
  source: string;
  files: AsyncIterable<ArchivedFile>;
  /** Asked for once the files have been read to their end. */
  fingerprint: () => string;
  /** Absent for a source without broker rows. */
  storeBrokerRows?: StoreBrokerRows;
}

export interface ImporterDependencies {
  client: ClickHouseClient;
  store: DatasetStore;
  clock: Clock;
  log: Logger;
  /** Returns when the store can take an import. */
  ready: () => Promise<void>;
  /** Tells everybody about a version, and returns once this service answers from it, or cannot for now. */
  announce: (dataset: Dataset) => Promise<void>;
}

/** Of ClickHouse's type Date. */
const LAST_STORABLE_DAY = '2149-06-06';

/** Turns files into a published dataset version, one import at a time. */
export class Importer {
  readonly #deps: ImporterDependencies;
  #running: { source: string; progress: Progress } | undefined;

  constructor(deps: ImporterDependencies) {
    this.#deps = deps;
  }

  /**
   * Publishes all of what the files hold or, when it fails or `signal` aborts, nothing. What equals the newest
   * version is not published again.
   */
  async run(source: ImportSource, progress: Progress, signal: AbortSignal): Promise<ImportOutcome> {
    this.#refuseSecond();
    this.#running = { source: source.source, progress };
    try {
      await this.#deps.ready();
      const dataset = await this.#import(source, progress, signal);
      progress.step = 'loading the new version';
      await this.#deps.announce(dataset);
      return await this.outcome(dataset, progress);
    } finally {
      this.#running = undefined;
    }
  }

  /** The newest version, when it came from the same bytes and is of the same kind. */
  async sameAsNewest(kind: string, fingerprint: string): Promise<Dataset | undefined> {
    const newest = await this.#deps.store.newest();
    return newest?.kind === kind && newest.fingerprint === fingerprint ? newest : undefined;
  }

  async outcome(dataset: Dataset, progress: Progress): Promise<ImportOutcome> {
    const rejections = await this.#deps.store.rejections(dataset.version);
    return { dataset, rejections, elapsed_ms: Math.round(progress.elapsedMs), findings: [] };
  }

  async #import(source: ImportSource, progress: Progress, signal: AbortSignal): Promise<Dataset> {
    const { client } = this.#deps;
    await removeLeftovers(client);
    const staging = new Staging(client, randomBytes(8).toString('hex'));
    try {
      await staging.create();
      progress.step = 'reading and parsing';
      await stageFiles(source.files, staging, this.#latestDay(source.kind), progress);
      const origin = { kind: source.kind, source: source.source, fingerprint: source.fingerprint() };
      const same = await this.sameAsNewest(origin.kind, origin.fingerprint);
      if (same) return same;
      progress.step = 'validating';
      await refuseRows(client, staging);
      // A statement under way runs to its end even if its client leaves, so that giving up is possible only between
      // two of them.
      signal.throwIfAborted();
      progress.step = 'cleaning and publishing';
      return await publish(
        this.#deps,
        staging,
        origin,
        source.storeBrokerRows ?? (async () => NO_BROKER_ROWS),
      );
    } finally {
      await staging.drop().catch((error: unknown) => {
        this.#deps.log.warn({ err: error }, 'the tables of an import stay until the next one');
      });
    }
  }

  /** Real bars cannot be from tomorrow. A made-up market has a fixed calendar, whatever this machine's clock says. */
  #latestDay(kind: string): string {
    return kind === 'real' ? jakartaDay(this.#deps.clock()) : LAST_STORABLE_DAY;
  }

  #refuseSecond(): void {
    if (!this.#running) return;
    const { source, progress } = this.#running;
    throw new ServiceError(
      'import_rejected',
      `Imports run one at a time, and one of ${source} is running (${progress.step}, ` +
        `${progress.rowsRead} rows read). Try again when it has finished.`,
    );
  }
}
