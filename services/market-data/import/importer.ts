import { randomBytes } from 'node:crypto';
import type { Dataset, ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import type { Logger } from '#shared/logger.ts';
import { ServiceError } from '#shared/service-error.ts';
import { removeLeftovers } from '../store/leftovers.ts';
import { pruneVersions, type PruneWish } from '../store/prune.ts';
import { begunWith, sameAsNewest } from './fingerprint.ts';
import type { ImportSource } from './import-source.ts';
import { makeVersion, type MadeVersion, type MakerDependencies } from './make-version.ts';
import { Progress } from './progress.ts';
import { Staging } from './staging.ts';

export interface ImporterDependencies extends MakerDependencies {
  log: Logger;
  /** Returns when the store can take an import. */
  ready: () => Promise<void>;
  /** Returns once this service answers from the version, or cannot for now; everybody else is told of it. */
  announce: (dataset: Dataset) => Promise<void>;
}

/** Turns files into a published dataset version. What changes the store runs here, one thing at a time. */
export class Importer {
  readonly #deps: ImporterDependencies;
  #running: { what: string; progress: Progress } | undefined;

  constructor(deps: ImporterDependencies) {
    this.#deps = deps;
  }

  /**
   * Publishes all of what the files hold or, when it fails or `signal` aborts, nothing. What is there already is not
   * published again.
   */
  async run(source: ImportSource, progress: Progress, signal: AbortSignal): Promise<ImportOutcome> {
    return this.#alone(`an import of ${source.source}`, progress, async () => {
      const made = await this.#make(source, progress, signal);
      progress.step = 'loading the new version';
      await this.#deps.announce(made.dataset);
      return this.#outcome(made, progress);
    });
  }

  /** Removes old versions, and gives their names, newest first. */
  async prune(wish: PruneWish): Promise<string[]> {
    const progress = new Progress();
    return this.#alone('a pruning', progress, () => {
      progress.step = 'removing old versions';
      return pruneVersions(this.#deps.client, wish);
    });
  }

  /** What is added to, when something is added now. */
  newest(): Promise<Dataset | undefined> {
    return this.#deps.store.newest();
  }

  /** The outcome of an import that need not even begin, because the newest version came of the same, or began with it. */
  async same(wish: Omit<ImportSource, 'files'>, progress: Progress): Promise<ImportOutcome | undefined> {
    await this.#deps.ready();
    const published = await this.#deps.store.list();
    const dataset = sameAsNewest(wish, published) ?? begunWith(wish, published);
    return dataset && this.#outcome({ dataset, isUnchanged: true }, progress);
  }

  async #outcome(made: MadeVersion, progress: Progress): Promise<ImportOutcome> {
    const { store } = this.#deps;
    const { dataset, isUnchanged } = made;
    const [rejections, findings] = await Promise.all([
      made.rejections ?? store.rejections(dataset.version),
      store.findings(dataset.version),
    ]);
    const elapsed_ms = Math.round(progress.elapsedMs);
    const broker_table = made.brokerTable;
    return { dataset, rejections, elapsed_ms, findings, unchanged: isUnchanged, broker_table };
  }

  async #make(source: ImportSource, progress: Progress, signal: AbortSignal): Promise<MadeVersion> {
    const { client, log } = this.#deps;
    await removeLeftovers(client);
    const staging = new Staging(client, randomBytes(8).toString('hex'));
    try {
      await staging.create();
      return await makeVersion(this.#deps, staging, source, { progress, signal });
    } finally {
      await staging.drop().catch((error: unknown) => {
        log.warn({ err: error }, 'the tables of an import stay until the next one');
      });
    }
  }

  /**
   * Runs work that changes the store when it is ready, and nothing else beside it.
   * @throws ServiceError import_rejected while other such work runs
   */
  async #alone<T>(what: string, progress: Progress, work: () => Promise<T>): Promise<T> {
    this.#refuseSecond();
    this.#running = { what, progress };
    try {
      await this.#deps.ready();
      return await work();
    } finally {
      this.#running = undefined;
    }
  }

  #refuseSecond(): void {
    if (!this.#running) return;
    const { what, progress } = this.#running;
    throw new ServiceError(
      'import_rejected',
      `Versions are made and removed one at a time, and ${what} is running (${progress.step}, ` +
        `${progress.rowsRead} rows read). Try again when it has finished.`,
    );
  }
}
