import type { Dataset, WatchDatasetResponse } from '#proto/saring/market_data/v1/datasets.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { IncompleteDataset, type LoadMarket, type Market, type LoadedDataset } from './loaded-dataset.ts';
import type { MarketFreshness } from '../freshness/freshness.ts';
import type { Clock } from '#foundation/clock.ts';
import { jakartaDay, startOfJakartaDay } from '#foundation/jakarta-time.ts';
import { endedWithin, pause } from '#platform/process/waiting.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

interface DatasetInUseOptions {
  load: LoadMarket;
  log: Logger;
  /**
   * Computes what answers would otherwise wait for. A dataset that replaces another is used only after this; the first
   * dataset is used immediately. Must not reject.
   */
  prepare?: (market: Market) => Promise<void>;
  /** Called once no response uses the previous dataset any more. There is none after the first load. */
  onReplaced: (current: Market, previous: Market | undefined) => void;
}

const RETRY_MS = 1_000;
/** Loading takes under a second on an idle machine. Callers' own deadlines are longer. */
const FIRST_LOAD_MS = 4_000;
/** After this time no response uses the previous dataset any more. */
const REPLACED_AFTER_MS = 1_000;

/** Holds the served dataset in memory. The previous one answers until the next is completely loaded. */
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
   * The dataset that answers now. The first requests after a start wait for the first load.
   * @throws ServiceError data_unavailable when there is none, or none could be loaded yet
   */
  async get(): Promise<LoadedDataset> {
    if (!this.#loaded && this.#wanted && !this.#hasFailed)
      await endedWithin(this.#loading ?? Promise.resolve(), FIRST_LOAD_MS);
    if (this.#loaded) return this.#loaded;
    throw new ServiceError('data_unavailable', this.#whyNone());
  }

  /** The dataset that answers now or is being loaded. */
  current(): { dataset: Dataset | undefined; isLoaded: boolean; lostVersion: string } {
    const dataset = this.#loaded?.dataset ?? this.#wanted;
    return { dataset, isLoaded: this.#loaded !== undefined, lostVersion: this.#lost };
  }

  /** Reports that the served version cannot be loaded because it is missing. The dataset in memory keeps answering. */
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

  /** Starts to load the dataset and retries until it succeeds, or until another dataset replaces it. */
  use(dataset: Dataset): void {
    this.#wanted = dataset;
    this.#lost = '';
    if (!this.#isLoading) this.#loading = this.#loadWanted();
  }

  /** Waits at most `timeoutMs` for the version. Returns whether it answers now. */
  async serves(version: string, timeoutMs: number): Promise<boolean> {
    const giveUpAt = performance.now() + timeoutMs;
    while (this.#loaded?.dataset.version !== version && performance.now() < giveUpAt) {
      await endedWithin(this.#loading ?? Promise.resolve(), giveUpAt - performance.now());
      if (!this.#isLoading) break;
    }
    return this.#loaded?.dataset.version === version;
  }

  /** Starts listening immediately. Resolves when another dataset answers, after `ms`, or when `signal` aborts. */
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

  /** Whether a version is being loaded, and the last attempt to do so has not failed. */
  get isProgressing(): boolean {
    return this.#isLoading && !this.#hasFailed && !this.#stop.signal.aborted;
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
        const previous = this.#loaded;
        if (previous) await prepared;
        this.#loaded = { dataset, ...market };
        this.#hasFailed = false;
        if (this.#wanted === dataset) this.#lost = '';
        for (const wake of this.#awaitingChange) wake();
        setTimeout(() => this.#options.onReplaced(market, previous), REPLACED_AFTER_MS).unref();
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
 * Pause between two repetitions of the state. A caller who receives nothing for longer knows that the stream is broken,
 * and a change of the system clock is noticed.
 */
const REPEAT_MS = 1_000;

/**
 * Yields the version that answers, how fresh it is, and the current day in Jakarta: immediately, whenever version or day
 * change, and at least every second, until `signal` aborts. If the caller reads more slowly than states change, only the last state is
 * yielded.
 */
export async function* datasetStates(
  {
    inUse,
    freshness,
    clock,
  }: {
    inUse: Pick<DatasetInUse, 'current' | 'changedWithin'>;
    freshness: Pick<MarketFreshness, 'of'>;
    clock: Clock;
  },
  signal: AbortSignal,
): AsyncGenerator<WatchDatasetResponse> {
  while (!signal.aborted) {
    const now = clock();
    const today = jakartaDay(now);
    const untilMidnightMs = startOfJakartaDay(today).getTime() + DAY_MS - now.getTime();
    // Start listening before reading the state, so that no change in between is missed.
    const changed = inUse.changedWithin(Math.min(REPEAT_MS, untilMidnightMs), signal);
    const { dataset, isLoaded } = inUse.current();
    yield isLoaded && dataset
      ? { version: dataset.version, today, freshness: freshness.of(dataset) }
      : { version: '', today };
    await changed;
  }
}
