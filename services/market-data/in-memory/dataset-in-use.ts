import { setTimeout as sleep } from 'node:timers/promises';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { Logger } from '#shared/logger.ts';
import { ServiceError } from '#shared/service-error.ts';
import type { LoadMarket, Market } from './load-market.ts';

/** A dataset in memory. Immutable: an answer that began with one ends with it, whatever is loaded meanwhile. */
export interface LoadedDataset extends Market {
  dataset: Dataset;
}

export interface DatasetInUseOptions {
  load: LoadMarket;
  log: Logger;
  /**
   * Works out what answers would otherwise wait for. A dataset that takes the place of another does so when this is
   * done; the first one answers at once. Must not reject.
   */
  prepare?: (market: Market) => Promise<void>;
  /** Called once nobody can be using the dataset before any more. */
  onReplaced: () => void;
}

const RETRY_MS = 1_000;
/** A loading takes under a second on an idle machine. Callers' own deadlines are longer. */
const FIRST_LOAD_MS = 4_000;
/** Answers are made at once; none takes this long. */
const REPLACED_AFTER_MS = 1_000;

/** Holds the newest dataset in memory; the one before serves until the next is complete. */
export class DatasetInUse {
  readonly #options: DatasetInUseOptions;
  readonly #stop = new AbortController();
  #wanted: Dataset | undefined;
  #loaded: LoadedDataset | undefined;
  #loading: Promise<void> | undefined;
  #isLoading = false;
  #hasFailed = false;
  readonly #awaitingChange = new Set<() => void>();

  constructor(options: DatasetInUseOptions) {
    this.#options = options;
  }

  /**
   * The dataset that answers now. The first requests after a start wait for the first loading.
   * @throws ServiceError data_unavailable when there is none, or none that could be loaded so far
   */
  async get(): Promise<LoadedDataset> {
    if (!this.#loaded && this.#wanted && !this.#hasFailed) await this.#loadingWithin(FIRST_LOAD_MS);
    if (this.#loaded) return this.#loaded;
    const message = this.#wanted
      ? 'The market data could not be loaded yet. Try again in a moment.'
      : 'There is no market data at the moment.';
    throw new ServiceError('data_unavailable', message);
  }

  /** What answers now, or is about to. */
  current(): { dataset: Dataset | undefined; isLoaded: boolean } {
    return { dataset: this.#loaded?.dataset ?? this.#wanted, isLoaded: this.#loaded !== undefined };
  }

  /** Begins to load the dataset, unless a newer one arrives before its turn, and tries until it succeeds. */
  use(dataset: Dataset): void {
    this.#wanted = dataset;
    if (!this.#isLoading) this.#loading = this.#loadWanted();
  }

  /** Whether the version answers now, waiting for it at most so long. */
  async serves(version: string, timeoutMs: number): Promise<boolean> {
    const giveUpAt = performance.now() + timeoutMs;
    while (this.#loaded?.dataset.version !== version && performance.now() < giveUpAt) {
      await this.#loadingWithin(giveUpAt - performance.now());
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

  #loadingWithin(ms: number): Promise<void> {
    const overdue = sleep(Math.max(1, ms), undefined, { ref: false });
    return Promise.race([this.#loading ?? Promise.resolve(), overdue]);
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
        for (const tell of this.#awaitingChange) tell();
        setTimeout(() => this.#options.onReplaced(), REPLACED_AFTER_MS).unref();
      } catch (error) {
        this.#hasFailed = true;
        this.#options.log.warn({ version: dataset.version, err: error }, 'the dataset could not be loaded');
        await sleep(RETRY_MS, undefined, { signal: this.#stop.signal }).catch(() => {});
      }
    }
    this.#isLoading = false;
  }

  /** Rows that are fewer than were published would silently change every answer. */
  async #loadWhole(dataset: Dataset): Promise<Market> {
    const startedAt = performance.now();
    const { version, bars } = dataset;
    const market = await this.#options.load(dataset, this.#loaded);
    if (market.panel.rowCount !== bars)
      throw new Error(`${version} has ${market.panel.rowCount} bars, not ${bars}`);
    const loadedMs = Math.round(performance.now() - startedAt);
    const brokerRows = market.brokerFlow.rowCount;
    this.#options.log.info(
      { version, bars, broker_rows: brokerRows, loaded_ms: loadedMs },
      'dataset in memory',
    );
    return market;
  }
}
