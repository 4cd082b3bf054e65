import type { Dataset, DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import type { ServiceClient } from '#platform/grpc/client.ts';
import { randomId } from '#foundation/ids.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { pause } from '#platform/process/waiting.ts';
import { TEST_MARKET, isTestVersion, type CalledMarket } from '#foundation/test-market.ts';

/** Pause before a stream that ended is opened again. */
const RETRY_MS = 500;
/** Longest silence before the stream counts as broken. The service sends something at least every second. */
const SILENCE_MS = 4_000;

export interface NewestTradingDayOptions {
  datasets: ServiceClient<DatasetServiceService>;
  /** The market whose days they are; the served one if undefined. */
  market?: CalledMarket;
  log: Logger;
}

/** A market and its newest whole trading day. Real and generated days are never mixed up. */
export interface ServedMarket {
  /** `real`, `synthetic`, or `test` for the test market. */
  market: string;
  /** YYYY-MM-DD. */
  day: string;
}

export interface ServedVersion extends ServedMarket {
  version: string;
}

/** The last whole day of a dataset. A market-data service of an earlier release does not say it. */
export function wholeUntil({ whole_until, last_date }: Dataset): string {
  return whole_until || last_date;
}

/** Follows the newest whole trading day of the dataset. Keeps the last received day while the service is unavailable. */
export class NewestTradingDay {
  readonly #options: NewestTradingDayOptions;
  #known: ServedVersion | undefined;
  #isUnavailable = false;

  constructor(options: NewestTradingDayOptions) {
    this.#options = options;
  }

  /** The market being served. Undefined until it is received. */
  get known(): ServedVersion | undefined {
    return this.#known;
  }

  /**
   * Asks the service for the newest trading day now.
   * @throws ServiceError data_unavailable, also without a dataset: the first dataset may bring days that are years old
   */
  async read(): Promise<ServedVersion> {
    const { datasets, market } = this.#options;
    const { dataset } = await datasets.getCurrentDataset({}, { requestId: randomId('req'), market });
    if (!dataset) throw new ServiceError('data_unavailable', 'There is no market data yet.');
    // A market-data service of an earlier release answers for the served market.
    if (market === TEST_MARKET && !isTestVersion(dataset.version))
      throw new ServiceError('data_unavailable', 'There is no test market yet.');
    return { market: market ?? dataset.kind, day: wholeUntil(dataset), version: dataset.version };
  }

  /** Runs until `stopping` aborts. */
  async follow(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const reason = await this.#hear(stopping).catch((error: unknown) => error);
      if (!stopping.aborted) this.#tellUnavailable(reason);
      await pause(RETRY_MS, stopping);
    }
  }

  async #hear(stopping: AbortSignal): Promise<Error> {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), SILENCE_MS);
    const signal = AbortSignal.any([stopping, silence.signal]);
    const { datasets, market } = this.#options;
    const call = { requestId: randomId('req'), market, signal, timeoutMs: Infinity };
    let seen = '';
    try {
      for await (const { version } of datasets.watchDataset({}, call)) {
        timer.refresh();
        this.#isUnavailable = false;
        if (version === '' || version === seen) continue;
        const now = await this.read();
        // Another copy may answer than the one that is watched, and may still serve the version before. The next message asks again.
        if (now.version !== version) continue;
        this.#known = now;
        seen = version;
      }
    } finally {
      clearTimeout(timer);
    }
    return new Error('the stream ended');
  }

  #tellUnavailable(reason: unknown): void {
    if (!this.#isUnavailable)
      this.#options.log.info({ reason: String(reason) }, 'changes of the dataset cannot be followed');
    this.#isUnavailable = true;
  }
}
