import type { Dataset, WatchDatasetResponse } from '#proto/saring/market_data/v1/datasets.ts';
import type { Logger } from '#shared/logger.ts';
import { ServiceError } from '#shared/service-error.ts';
import { IncompleteDataset, type LoadMarket, type Market, type LoadedDataset } from './loaded-dataset.ts';
import type { Clock } from '#shared/clock.ts';
import { jakartaDay, startOfJakartaDay } from '#shared/jakarta-time.ts';
import { endedWithin, pause } from '#shared/waiting.ts';

interface DatasetInUseOptions {
  load: LoadMarket;
  log: Logger;
  /**
   * Works out what answers would otherwise wait for. A dataset that takes the place of another does so when this is
   * done; the first one answers at once. Must not reject.
   */
  prepare?: (market: Market) => Promise<void>;
  /** Called once the previous dataset is no longer in use. */
  onReplaced: () => void;
}

const RETRY_MS = 1_000;
/** A loading takes under a second on an idle machine. Callers' own deadlines are longer. */
const FIRST_LOAD_MS = 4_000;
/** Answers are made at once; none takes this long. */
const REPLACED_AFTER_MS = 1_000;

/** Holds the dataset that is to be served in memory; the one before answers until the next is complete. */
export class DatasetInUse {
  readonly #options: DatasetInUseOptions;
  readonly #stop = new AbortController();
  #wanted: Dataset | undefined;
  #loaded: LoadedDataset | undefined;
  #loading: Promise<void> | undefined;
  #isLoading = false;
  #hasFailed = false;
  #lost = '';
  readonly #awaitingChange = new Set<() => void>();

  constructor(options: DatasetInUseOptions) {
    this.#options = options;
  }

  /**
   * The dataset that answers now. The first requests after a start wait for the first loading.
   * @throws ServiceError data_unavailable when there is none, or none that could be loaded so far
   */
  async get(): Promise<LoadedDataset> {
    if (!this.#loaded && this.#wanted && !this.#hasFailed)
      await endedWithin(this.#loading ?? Promise.resolve(), FIRST_LOAD_MS);
    if (this.#loaded) return this.#loaded;
    throw new ServiceError('data_unavailable', this.#whyNone());
  }

  /** What answers now, or is about to. */
  current(): { dataset: Dataset | undefined; isLoaded: boolean; lostVersion: string } {
    const dataset = this.#loaded?.dataset ?? this.#wanted;
    return { dataset, isLoaded: this.#loaded !== undefined, lostVersion: this.#lost };
  }

  /** Called for a version that cannot be loaded because it is gone; what is in memory goes on answering. */
  reportLost(version: string): void {
    this.#lost = version;
  }

  #whyNone(): string {
    if (this.#lost) {
      return (
        `The dataset ${this.#lost} is missing from the store, wholly or in part, and no other one takes its place by ` +
        `itself. The operator restores it, or serves another one: saring dataset use <version>.`
      );
    }
    return this.#wanted
      ? 'The market data could not be loaded yet. Try again in a moment.'
      : 'There is no market data at the moment.';
  }

  /** Begins to load the dataset, unless another one arrives before its turn, and tries until it succeeds. */
  use(dataset: Dataset): void {
    this.#wanted = dataset;
    this.#lost = '';
    if (!this.#isLoading) this.#loading = this.#loadWanted();
  }

  /** Whether the version answers now, waiting for it at most so long. */
  async serves(version: string, timeoutMs: number): Promise<boolean> {
    const giveUpAt = performance.now() + timeoutMs;
    while (this.#loaded?.dataset.version !== version && performance.now() < giveUpAt) {
      await endedWithin(this.#loading ?? Promise.resolve(), giveUpAt - performance.now());
      if (!this.#isLoading) break;
    }
    return this.#loaded?.dataset.version === version;
  }

  /** Begins to listen at once; resolves when another dataset answers, after so long, or when `signal` ends it. */
  changedWithin(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#awaitingChange.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#awaitingChange.add(done);
      signal.addEventListener('abort', done);
      if (signal.aborted) done();
    });
  }

  stop(): void {
    this.#stop.abort();
  }

  async #loadWanted(): Promise<void> {
    this.#isLoading = true;
    while (this.#wanted && this.#wanted !== this.#loaded?.dataset && !this.#stop.signal.aborted) {
      const dataset = this.#wanted;
      try {
        const market = await this.#loadWhole(dataset);
        const prepared = this.#options.prepare?.(market);
        if (this.#loaded) await prepared;
        this.#loaded = { dataset, ...market };
        this.#hasFailed = false;
        if (this.#wanted === dataset) this.#lost = '';
        for (const wake of this.#awaitingChange) wake();
        setTimeout(() => this.#options.onReplaced(), REPLACED_AFTER_MS).unref();
      } catch (error) {
        this.#hasFailed = true;
        this.#report(dataset, error);
        await pause(RETRY_MS, this.#stop.signal);
      }
    }
    this.#isLoading = false;
  }

  #report(dataset: Dataset, error: unknown): void {
    const { log } = this.#options;
    const { version } = dataset;
    if (!(error instanceof IncompleteDataset)) {
      log.warn({ version, err: error }, 'the dataset could not be loaded');
    } else if (this.#lost !== version) {
      log.error({ version, reason: error.message }, 'rows of the version to be served are missing');
      if (this.#wanted === dataset) this.#lost = version;
    }
  }

  /** @throws IncompleteDataset */
  async #loadWhole(dataset: Dataset): Promise<Market> {
    const startedAt = performance.now();
    const { version, bars } = dataset;
    const market = await this.#options.load(dataset, this.#loaded);
    const { rowCount } = market.panel;
    if (rowCount !== bars) throw new IncompleteDataset(version, { bars: rowCount }, { bars });
    const loadedMs = Math.round(performance.now() - startedAt);
    const brokerRows = market.brokerFlow.rowCount;
    this.#options.log.info(
      { version, bars, broker_rows: brokerRows, loaded_ms: loadedMs },
      'dataset in memory',
    );
    return market;
  }
}

/**
 * A state is repeated this often, so that a caller who hears nothing for longer knows that the stream is broken, and
 * so that a clock that is set is noticed.
 */
const REPEAT_MS = 1_000;
const DAY_MS = 24 * 3_600_000;

/**
 * Which version answers and what day it is in Jakarta: now, whenever either changes, and at least every second, until
 * `signal` ends it. Changes that come faster than they are taken are merged into the last one.
 */
export async function* datasetStates(
  inUse: DatasetInUse,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<WatchDatasetResponse> {
  while (!signal.aborted) {
    const now = clock();
    const today = jakartaDay(now);
    const untilMidnightMs = startOfJakartaDay(today).getTime() + DAY_MS - now.getTime();
    // Begins to listen before it looks, so that no change falls between the two.
    const changed = inUse.changedWithin(Math.min(REPEAT_MS, untilMidnightMs), signal);
    const { dataset, isLoaded } = inUse.current();
    yield { version: (isLoaded && dataset?.version) || '', today };
    await changed;
  }
}
