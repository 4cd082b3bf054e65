import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dataset, ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import type { Logger } from '#shared/logger.ts';
import { ServiceError } from '#shared/service-error.ts';
import { removeLeftovers, pruneVersions, type PruneRequest } from '../store/removals.ts';
import { beganWith, isMadeBy, type ImportSource } from './import-source.ts';
import { makeVersion, type MadeVersion, type MakerDependencies } from './make-version.ts';
import { Progress } from './progress.ts';
import { Staging } from './staging.ts';
import type { StoreTurn } from './store-turn.ts';

const REMOVE_PAUSE_MS = 1_000;

interface ImporterDependencies extends MakerDependencies {
  log: Logger;
  /** Returns when the store can take an import. */
  ready: () => Promise<void>;
  turn: StoreTurn;
  /** Returns once this service answers from the version, or cannot for now; all other processes are notified. */
  announce: (dataset: Dataset) => Promise<void>;
}

/** A version that was chosen, and the one that was served before; '' when there was none. */
export interface UsedVersion {
  dataset: Dataset;
  before: string;
}

/** Turns files into a published dataset version. What changes the store runs here, one thing at a time. */
export class Importer {
  readonly #deps: ImporterDependencies;
  #running: { what: string; progress: Progress } | undefined;
  #removing: Promise<void> | undefined;

  constructor(deps: ImporterDependencies) {
    this.#deps = deps;
  }

  /**
   * Publishes all of what the files hold or, when it fails or `signal` aborts, nothing. What is there already is not
   * published again.
   */
  async run(source: ImportSource, progress: Progress, signal: AbortSignal): Promise<ImportOutcome> {
    return this.#alone(`an import of ${source.source}`, progress, async (lost) => {
      const made = await this.#make(source, progress, AbortSignal.any([signal, lost]));
      progress.step = 'loading the new version';
      await this.#deps.announce(made.dataset);
      return this.#outcome(made, progress);
    });
  }

  /** Has a published version served, and gives what was served before; the record stays as it is when it was that one. */
  async use(version: string, by: { actor: string; reason: string }): Promise<UsedVersion> {
    const { store, clock, announce } = this.#deps;
    const progress = new Progress();
    return this.#alone(`a change to ${version}`, progress, async () => {
      progress.step = 'loading the version';
      const dataset = await store.find(version);
      const before = (await store.served())?.version ?? '';
      if (before !== version) await store.serve({ version, action: 'use', ...by }, clock());
      await announce(dataset);
      return { dataset, before };
    });
  }

  /** Removes old versions, and gives their names, newest first. The one that is to be served stays. */
  async prune({ keep, stay }: PruneRequest): Promise<string[]> {
    const progress = new Progress();
    return this.#alone('a pruning', progress, async () => {
      progress.step = 'removing old versions';
      const served = await this.#deps.store.served();
      if (served && !served.dataset) throw whileLost(served.version);
      return pruneVersions(this.#deps.client, { keep, stay: served ? [...stay, served.version] : stay });
    });
  }

  /** What is added to, when something is added now. */
  async served(): Promise<Dataset | undefined> {
    return (await this.#deps.store.served())?.dataset;
  }

  /**
   * The outcome of an import that need not even begin: the served version came of the same, or began with it, or was
   * chosen over it since. A start that names a file must not undo that choice.
   */
  async same(request: Omit<ImportSource, 'files'>, progress: Progress): Promise<ImportOutcome | undefined> {
    const { ready, store } = this.#deps;
    await ready();
    const [served, published, [last]] = await Promise.all([this.served(), store.list(), store.history(1)]);
    if (!served) return undefined;
    const isSame =
      isMadeBy(request, served, published) ||
      beganWith(request, served) ||
      (last?.action === 'use' && published.some((version) => beganWith(request, version)));
    return isSame ? this.#outcome({ dataset: served, isUnchanged: true }, progress) : undefined;
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
        log.warn({ err: error }, 'the tables of an import stay until the store answers again');
        void this.#removeLater();
      });
    }
  }

  /** Removes what an import left behind once the store can be reached again, unless another import does so before. */
  async #removeLater(): Promise<void> {
    const { client, log, turn } = this.#deps;
    for (;;) {
      await sleep(REMOVE_PAUSE_MS, undefined, { ref: false });
      if (this.#running) return;
      this.#removing = turn.during('a removal of what an import left', () => removeLeftovers(client));
      const isDone = await this.#removing.then(
        () => true,
        () => false,
      );
      this.#removing = undefined;
      if (isDone) return log.info('what an import left behind is removed');
    }
  }

  /**
   * Runs work that changes the store when it is ready, and nothing else beside it.
   * @throws ServiceError import_rejected while other such work runs
   */
  async #alone<T>(what: string, progress: Progress, work: (lost: AbortSignal) => Promise<T>): Promise<T> {
    this.#refuseSecond();
    this.#running = { what, progress };
    try {
      await this.#deps.ready();
      // It ends statements that write to the store, and would end those of this work.
      await this.#removing?.catch(() => {});
      return await this.#deps.turn.during(what, work);
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

/** Rows that no published version names may be those of the one that is lost. */
function whileLost(version: string): ServiceError {
  return new ServiceError(
    'import_rejected',
    `${version} is to be served and is missing from the store; nothing is removed meanwhile. Bring it back, or serve ` +
      `another version first: saring dataset use <version>.`,
  );
}
