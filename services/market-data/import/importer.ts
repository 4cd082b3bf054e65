import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dataset, ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { isTestVersion } from '#foundation/test-market.ts';
import type { ServiceError } from '#foundation/errors/service-error.ts';
import { rejected } from './rejected.ts';
import { removeLeftovers, pruneVersions, type PruneRequest } from '../store/removals.ts';
import { beganWith, isMadeBy, type ImportSource } from './request/import-source.ts';
import { isJudgedAsNow, makeVersion, type MadeVersion, type MakerDependencies } from './make-version.ts';
import { Progress } from './request/progress.ts';
import { Staging } from './staging/staging.ts';
import { MAKING_TEST_MARKET, type StoreLease } from '../store/store-lease.ts';

const REMOVE_PAUSE_MS = 1_000;

interface ImporterDependencies extends MakerDependencies {
  log: Logger;
  /** Resolves when the store can take an import. */
  ready: () => Promise<void>;
  lease: StoreLease;
  /**
   * Resolves once this service answers from the version, or has found that it cannot yet. All other processes are
   * notified.
   */
  announce: (dataset: Dataset) => Promise<void>;
  /** Resolves once runs with the defaults use the version, or workers take too long to prepare it. */
  trained: (version: string) => Promise<void>;
}

interface RunningWork {
  what: string;
  progress: Progress;
  /** Ends the work when other work comes; undefined for work that does not give way. */
  givesWay: AbortController | undefined;
  ended: Promise<void>;
}

/** A version that was chosen, and the name of the one served before; '' if there was none. */
interface UsedVersion {
  dataset: Dataset;
  before: string;
}

/** Turns files into a published dataset version. All changes to the store run here, one at a time. */
export class Importer {
  readonly #deps: ImporterDependencies;
  #running: RunningWork | undefined;
  #removing: Promise<void> | undefined;

  constructor(deps: ImporterDependencies) {
    this.#deps = deps;
  }

  /**
   * Publishes everything in the files, or nothing if it fails or `signal` aborts. Content that is already published is
   * not published again.
   */
  async run(source: ImportSource, progress: Progress, signal: AbortSignal): Promise<ImportOutcome> {
    const outcome = await this.alone(`an import of ${source.source}`, progress, async (lost) => {
      const made = await this.#make(source, progress, AbortSignal.any([signal, lost]));
      progress.step = 'loading the new version';
      await this.#deps.announce(made.dataset);
      return this.#outcome(made, progress);
    });
    await this.#untilTrained(outcome.dataset, progress);
    return outcome;
  }

  /**
   * The version of the test market: made unless it is there, and never served. Any other work ends the making, so that no operator
   * waits for it: make it again afterwards.
   */
  async keep(source: ImportSource, progress: Progress, signal: AbortSignal): Promise<Dataset> {
    const { ready, store } = this.#deps;
    const kept = async () =>
      (await store.list()).find((one) => isTestVersion(one.version) && isMadeBy(source, one, []));
    await ready();
    const before = await kept();
    if (before) return before;
    const work = async (stop: AbortSignal) =>
      // Another copy of the service may have made it.
      (await kept()) ?? (await this.#make({ ...source, isTest: true }, progress, stop)).dataset;
    const givesWay = new AbortController();
    const stop = AbortSignal.any([signal, givesWay.signal]);
    const making = (lost: AbortSignal) => work(AbortSignal.any([stop, lost]));
    return this.alone(MAKING_TEST_MARKET, progress, making, givesWay);
  }

  /**
   * Serves a published version and returns the one served before. Writes no record if it is served already.
   * @throws ServiceError import_rejected for a version of the test market, whose days never go on
   */
  async use(version: string, by: { actor: string; reason: string }): Promise<UsedVersion> {
    const { store, clock, announce } = this.#deps;
    const progress = new Progress();
    const used = await this.alone(`a change to ${version}`, progress, async () => {
      progress.step = 'loading the version';
      const dataset = await store.find(version);
      if (isTestVersion(version)) throw rejected(`${version} is the test market, which only test keys see.`);
      const before = (await store.served())?.version ?? '';
      if (before !== version) await store.serve({ version, action: 'use', ...by }, clock());
      await announce(dataset);
      return { dataset, before };
    });
    await this.#untilTrained(used.dataset, progress);
    return used;
  }

  /** Removes old versions and returns their names, newest first. Never removes the served version. */
  async prune({ keep, stay }: PruneRequest): Promise<string[]> {
    const progress = new Progress();
    return this.alone('a pruning', progress, async () => {
      progress.step = 'removing old versions';
      const served = await this.#deps.store.served();
      if (served && !served.dataset) throw whileLost(served.version);
      return pruneVersions(this.#deps.client, { keep, stay: served ? [...stay, served.version] : stay });
    });
  }

  /** The version to which files would be added now. */
  async served(): Promise<Dataset | undefined> {
    return (await this.#deps.store.served())?.dataset;
  }

  /**
   * A published version with its trading days; the served one if `version` is ''.
   * @throws ServiceError not_found
   */
  async withDays(version: string): Promise<{ dataset: Dataset; days: string[] }> {
    const { ready, store } = this.#deps;
    await ready();
    const dataset = await store.find(version);
    return { dataset, days: await store.tradingDays(dataset.version) };
  }

  /**
   * The outcome of an import that can be skipped: the served version was made by the same import, began with it, or was
   * explicitly chosen over it later. A service start with a configured file must not undo that choice.
   */
  async same(request: Omit<ImportSource, 'files'>, progress: Progress): Promise<ImportOutcome | undefined> {
    const { ready, store } = this.#deps;
    await ready();
    const [served, published, [last]] = await Promise.all([this.served(), store.list(), store.history(1)]);
    if (!served) return undefined;
    const isSame =
      (isMadeBy(request, served, published) && (await isJudgedAsNow(this.#deps, served))) ||
      beganWith(request, served) ||
      (last?.action === 'use' && published.some((version) => beganWith(request, version)));
    return isSame ? this.#outcome({ dataset: served, isUnchanged: true }, progress) : undefined;
  }

  /**
   * Waits until the store is ready, then runs work that changes it while no other such work runs.
   * @param givesWay is aborted when other work comes, which then waits until this has ended
   * @throws ServiceError import_rejected while other such work runs
   */
  async alone<T>(
    what: string,
    progress: Progress,
    work: (lost: AbortSignal) => Promise<T>,
    givesWay?: AbortController,
  ): Promise<T> {
    await this.#untilGivenWay(what);
    this.#refuseSecond();
    const ended = Promise.withResolvers<void>();
    this.#running = { what, progress, givesWay, ended: ended.promise };
    try {
      await this.#deps.ready();
      // The removal kills statements that write to the store, so it would kill those of this work too.
      await this.#removing?.catch(() => {});
      return await this.#deps.lease.during(what, work);
    } finally {
      this.#running = undefined;
      ended.resolve();
    }
  }

  async #untilGivenWay(what: string): Promise<void> {
    if (!this.#running?.givesWay) return;
    this.#running.givesWay.abort(new Error(`it gives way to ${what}`));
    await this.#running.ended;
  }

  /** Whoever changes the version and then runs a model expects a result of the new one. */
  async #untilTrained(dataset: Dataset | undefined, progress: Progress): Promise<void> {
    progress.step = 'served; models are learning from it';
    if (dataset) await this.#deps.trained(dataset.version);
  }

  async #outcome(made: MadeVersion, progress: Progress): Promise<ImportOutcome> {
    const { store } = this.#deps;
    const { dataset, isUnchanged } = made;
    const [rejections, findings] = await Promise.all([
      made.refused?.rejections ?? store.rejections(dataset.version),
      store.findings(dataset.version),
    ]);
    const elapsed_ms = Math.round(progress.elapsedMs);
    return {
      dataset,
      rejections,
      elapsed_ms,
      findings,
      unchanged: isUnchanged,
      broker_table: made.brokerTable,
      action_table: made.actionTable,
      unstored_rows: made.refused?.first ?? [],
    };
  }

  async #make(source: ImportSource, progress: Progress, signal: AbortSignal): Promise<MadeVersion> {
    const { client, log, calendar } = this.#deps;
    await removeLeftovers(client);
    // A generated market has its own calendar, that of its edition.
    const closedDays = source.generated ? [] : Object.keys(calendar.facts.closures);
    const staging = new Staging(client, randomBytes(8).toString('hex'), closedDays);
    try {
      await staging.create();
      return await makeVersion(this.#deps, staging, source, { progress, signal });
    } finally {
      await staging.drop().catch((error: unknown) => {
        log.warn({ err: error }, 'the tables of an import could not be removed; trying again');
        void this.#removeLater();
      });
    }
  }

  /** Removes the leftovers of an import once the store can be reached again, unless another import does so first. */
  async #removeLater(): Promise<void> {
    const { client, log, lease } = this.#deps;
    for (;;) {
      await sleep(REMOVE_PAUSE_MS, undefined, { ref: false });
      if (this.#running) return;
      this.#removing = lease.during('a removal of what an import left', () => removeLeftovers(client));
      const isDone = await this.#removing.then(
        () => true,
        () => false,
      );
      this.#removing = undefined;
      if (isDone) return log.info('the tables that an import left behind are removed');
    }
  }

  #refuseSecond(): void {
    if (!this.#running) return;
    const { what, progress } = this.#running;
    throw rejected(
      `Versions are made and removed one at a time, and ${what} is running (${progress.step}, ` +
        `${progress.rowsRead} rows read). Try again when it has finished.`,
    );
  }
}

/** Rows that no published version refers to may belong to the lost version. */
function whileLost(version: string): ServiceError {
  return rejected(
    `${version} should be served, but is missing from the store, so nothing is removed. Restore it, or serve ` +
      `another version first: saring dataset use <version>.`,
  );
}
