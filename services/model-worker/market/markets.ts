import { RunFailure } from '#models/inputs/run-failure.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { PREPARE_WITHIN_MS } from '#shared/life-signs/worker-heartbeats.ts';
import { endedWithin, pause } from '#platform/process/waiting.ts';
import { FAILURE, noDataOf, unreadableFor } from '../failures/failure-messages.ts';
import type { Unreadable } from './thread-requests.ts';
import { lastDayOf, type DatasetToLoad, type SharedMarket } from './shared-market.ts';

interface MarketsOptions {
  /** Rejects with Unreadable. */
  read: (dataset: DatasetToLoad) => Promise<SharedMarket>;
  /** Trains ahead what runs with the defaults need on this market, until the signal aborts. Never rejects. */
  prepare: (market: SharedMarket, signal: AbortSignal) => Promise<void>;
  /** Called with the previous version when runs use another one. */
  onReplaced: (version: string) => void;
  /** Called when a version counts as prepared. */
  onPrepared: () => void;
  patienceMs: number;
  /** How long the previous version is used while the newest one is prepared. */
  prepareWithinMs?: number;
  /** How long a run waits for a version that is being read, not counting the time while ClickHouse is unavailable. */
  readWithinMs?: number;
  log: Logger;
}

const RELOAD_PAUSE_MS = 1_000;
/** So that a run notices the end of its patience, or that it is cancelled. */
const CHECK_PAUSE_MS = 500;
/** As long as a run may take: no read of a dataset takes nearly as long. */
const READ_WITHIN_MS = 5 * 60_000;

/**
 * The dataset versions in memory, and which of them runs use. A new version is read and prepared while runs use the previous
 * one; then all runs use the new one.
 */
export class Markets {
  readonly #options: MarketsOptions;
  #wanted: DatasetToLoad | undefined;
  #used: SharedMarket | undefined;
  /** Read, but not yet prepared. */
  #next: SharedMarket | undefined;
  #isPrepared = false;
  /** Why the wanted version could not be read the last time it was tried. */
  #failure: Unreadable | undefined;
  #changing = new AbortController();
  /** Resolves when a version has been read or could not be read. */
  #tried = Promise.withResolvers<void>();

  constructor(options: MarketsOptions) {
    this.#options = options;
  }

  /** The market that runs use; undefined until the first version has been read. */
  get used(): SharedMarket | undefined {
    return this.#used;
  }

  /** The version that runs use, once runs with the defaults find everything trained on it. */
  get preparedVersion(): string | undefined {
    return this.#isPrepared ? this.#used?.dataset.version : undefined;
  }

  /** Reads and prepares this version, and gives up another one that is on its way. */
  load(dataset: DatasetToLoad): void {
    this.#wanted = dataset;
    this.#failure = undefined;
    this.#next = undefined;
    this.#changing.abort();
    this.#changing = new AbortController();
    void this.#change(dataset, this.#changing.signal);
  }

  stop(): void {
    this.#changing.abort();
  }

  /** Whether a market in memory reaches this trading day (YYYY-MM-DD; an empty string accepts any). */
  reaches(tradingDay: string): boolean {
    return this.#reaching(tradingDay) !== undefined;
  }

  /**
   * The market for a run that needs this trading day: the one that runs use or, if that lacks the day, the next one. Waits while
   * it is being read, and up to the patience while ClickHouse is unavailable.
   * @throws RunFailure when no readable version has the day, or reading it takes too long
   */
  async marketFor(tradingDay: string, signal: AbortSignal): Promise<SharedMarket> {
    const { patienceMs, readWithinMs = READ_WITHIN_MS } = this.#options;
    const begun = performance.now();
    for (;;) {
      const market = this.#reaching(tradingDay);
      if (market) return market;
      this.#requireHope(tradingDay);
      const leftMs = begun + (this.#failure ? patienceMs : readWithinMs) - performance.now();
      if (leftMs <= 0 && !this.#failure) throw new RunFailure('timeout', FAILURE.tooLong);
      if (leftMs <= 0)
        throw new RunFailure('data_unavailable', unreadableFor(patienceMs), { cause: this.#failure });
      await Promise.race([this.#tried.promise, pause(Math.min(leftMs, CHECK_PAUSE_MS), signal)]);
      signal.throwIfAborted();
    }
  }

  #reaching(tradingDay: string): SharedMarket | undefined {
    return [this.#used, this.#next].find((market) => market !== undefined && lastDayOf(market) >= tradingDay);
  }

  /** @throws RunFailure when waiting makes no sense */
  #requireHope(tradingDay: string): void {
    if (!this.#wanted) throw new RunFailure('data_unavailable', FAILURE.noDataset);
    const newest = this.#next ?? this.#used;
    const isNewestLacking = newest?.dataset.version === this.#wanted.version;
    if (isNewestLacking) throw new RunFailure('data_unavailable', noDataOf(tradingDay));
    if (!this.#failure || this.#failure.isUnavailable) return;
    const cause = this.#failure;
    throw new RunFailure('data_unavailable', newest ? noDataOf(tradingDay) : FAILURE.notLoaded, { cause });
  }

  async #change(dataset: DatasetToLoad, signal: AbortSignal): Promise<void> {
    const { prepare, onPrepared } = this.#options;
    const isUsed = dataset.version === this.#used?.dataset.version;
    const market = isUsed ? this.#used : await this.#read(dataset, signal);
    if (!market || signal.aborted) return;
    const preparing = prepare(market, signal);
    if (!isUsed) await this.#replaceBy(market, preparing, signal);
    await preparing;
    if (signal.aborted) return;
    this.#isPrepared = true;
    onPrepared();
  }

  /** Uses a market once it is prepared, or this takes too long; at once if there was none. */
  async #replaceBy(market: SharedMarket, preparing: Promise<void>, signal: AbortSignal): Promise<void> {
    const { onReplaced, prepareWithinMs = PREPARE_WITHIN_MS } = this.#options;
    const replaced = this.#used;
    let isPrepared = false;
    if (replaced) {
      this.#next = market;
      this.#tell();
      isPrepared = await endedWithin(preparing, prepareWithinMs);
      if (signal.aborted) return;
    }
    this.#next = undefined;
    this.#used = market;
    this.#isPrepared = isPrepared;
    this.#tell();
    if (replaced) onReplaced(replaced.dataset.version);
  }

  /** Tries until the version has been read, or is not wanted any more. */
  async #read(dataset: DatasetToLoad, signal: AbortSignal): Promise<SharedMarket | undefined> {
    const { read, log } = this.#options;
    const { version } = dataset;
    while (!signal.aborted) {
      const begun = performance.now();
      try {
        const market = await read(dataset);
        log.info({ version, ms: Math.round(performance.now() - begun) }, 'dataset loaded');
        return market;
      } catch (error) {
        if (signal.aborted) return undefined;
        this.#failure = error as Unreadable;
        this.#tell();
        log.warn({ version, reason: this.#failure.message }, 'dataset not loaded yet');
        await pause(RELOAD_PAUSE_MS, signal);
      }
    }
    return undefined;
  }

  #tell(): void {
    this.#tried.resolve();
    this.#tried = Promise.withResolvers<void>();
  }
}
