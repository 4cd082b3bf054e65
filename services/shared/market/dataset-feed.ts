import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Dataset, GeneratedMarket } from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { subjects } from '#platform/nats/subjects.ts';

interface DatasetFeedOptions {
  clickhouse: ClickHouseClient;
  nats: NatsConnection;
  log: Logger;
  /** Called with the served dataset when it is first seen, and again whenever it changes. */
  onServed: (dataset: Dataset) => void;
  /** Called once when the version to be served is missing from the store. */
  onLost?: (version: string) => void;
  /** Interval of the regular look, which finds what was published while NATS was unavailable. */
  pollMs?: number;
}

/** Pause after a failed look. Short, so that a ClickHouse that comes back is noticed soon. */
const RETRY_MS = 1_000;

/**
 * Follows which published dataset is to be served. It looks when a change is announced, and also every few seconds because
 * announcements are not stored. ClickHouse may be unavailable at any time, also at the start. When the version to be served is missing
 * from the store, the feed reports it and never switches to another version.
 */
export class DatasetFeed {
  readonly #options: DatasetFeedOptions;
  #served: Dataset | undefined;
  #lost: string | undefined;
  #looking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #subscription: Subscription | undefined;
  /** Time of the first failed look since the last one that succeeded. */
  #unavailableSinceMs: number | undefined;

  constructor(options: DatasetFeedOptions) {
    this.#options = options;
  }

  /** The dataset to be served, as found by the last successful look. */
  get served(): Dataset | undefined {
    return this.#served;
  }

  /** How long ago looks began to fail, in milliseconds; 0 while datasets can be read. */
  get unavailableForMs(): number {
    return this.#unavailableSinceMs === undefined ? 0 : performance.now() - this.#unavailableSinceMs;
  }

  start(): void {
    const check = () => void this.poll();
    this.#subscription = this.#options.nats.subscribe(subjects.datasetPublished, { callback: check });
    check();
  }

  stop(): void {
    this.#subscription?.unsubscribe();
    this.#subscription = undefined;
    clearTimeout(this.#timer);
  }

  /** Looks now. If a look is already running, looks again after it, because that one may have read too early. */
  poll(): Promise<void> {
    const check = (this.#looking ?? Promise.resolve()).then(() => this.#poll());
    this.#looking = check;
    return check;
  }

  /**
   * Whether the whole days of the served dataset reach this trading day (YYYY-MM-DD; an empty string accepts any dataset). If not, looks now,
   * unless ClickHouse is unavailable: then the feed looks every second anyway, and the caller would wait in vain.
   */
  async reach(tradingDay: string): Promise<boolean> {
    const reaches = () => this.#served !== undefined && this.#served.whole_until >= tradingDay;
    if (!reaches() && this.#unavailableSinceMs === undefined) await this.poll();
    return reaches();
  }

  async #poll(): Promise<void> {
    const { log, pollMs = 5_000 } = this.#options;
    clearTimeout(this.#timer);
    try {
      await this.#readServed();
      if (this.#unavailableSinceMs !== undefined)
        log.info({ away_ms: Math.round(this.unavailableForMs) }, 'datasets can be read again');
      this.#unavailableSinceMs = undefined;
    } catch (error) {
      if (this.#unavailableSinceMs === undefined)
        log.warn({ reason: (error as Error).message }, 'datasets cannot be read');
      this.#unavailableSinceMs ??= performance.now();
    }
    const pauseMs = this.#unavailableSinceMs === undefined ? pollMs : RETRY_MS;
    if (this.#subscription) this.#timer = setTimeout(() => void this.poll(), pauseMs);
  }

  async #readServed(): Promise<void> {
    const { clickhouse, log, onServed, onLost } = this.#options;
    const version = await servedVersion(clickhouse);
    if (version === undefined || version === this.#served?.version) return;
    const [dataset] = await readDatasets(clickhouse, { version });
    if (dataset) {
      this.#served = dataset;
      this.#lost = undefined;
      onServed(dataset);
    } else if (version !== this.#lost) {
      this.#lost = version;
      log.error({ version }, 'the version to be served is missing from the store');
      onLost?.(version);
    }
  }
}

/** The version to be served: the latest row of `market.served`. It may be missing from the store. */
export async function servedVersion(clickhouse: ClickHouseClient): Promise<string | undefined> {
  const response = await clickhouse.query({
    query: 'SELECT version FROM market.served ORDER BY served_at DESC LIMIT 1',
    format: 'JSONEachRow',
  });
  return (await response.json<{ version: string }>())[0]?.version;
}

type DatasetRow = Omit<
  Dataset,
  'bars' | 'rejected_rows' | 'published_at' | 'broker_rows' | 'broker_seed' | 'generated'
> & {
  bars: string;
  broker_rows: string;
  broker_seed: number | null;
  rejected_rows: string;
  published_at_ms: string;
  /** Edition 0 stands for none: ClickHouse has no nullable tuple. */
  generated: GeneratedMarket;
};

/** More versions than a year of daily imports. */
const MAX_DATASETS = 1_000;

/**
 * Published datasets, newest first, or only the given version. Rejects when ClickHouse is unavailable or does not have the table yet.
 */
export async function readDatasets(
  clickhouse: ClickHouseClient,
  { version = '', limit = MAX_DATASETS }: { version?: string; limit?: number } = {},
): Promise<Dataset[]> {
  const response = await clickhouse.query({
    query: `SELECT version, kind, source, fingerprint, toString(first_date) AS first_date,
              toString(last_date) AS last_date, trading_days, tickers, toString(bars) AS bars,
              toString(rejected_rows) AS rejected_rows, broker_data, toString(broker_rows) AS broker_rows,
              broker_first_date, broker_last_date, broker_segments, broker_seed, origin_fingerprint, generated, missing_days,
              toString(whole_until) AS whole_until, accepted_days,
              toString(toUnixTimestamp64Milli(published_at)) AS published_at_ms
            FROM market.dataset WHERE {version:String} IN ('', version)
            ORDER BY published_at DESC, version DESC LIMIT {limit:UInt32}`,
    query_params: { version, limit },
    format: 'JSONEachRow',
  });
  return (await response.json<DatasetRow>()).map(
    ({ bars, broker_rows, broker_seed, rejected_rows, published_at_ms, generated, ...row }) => ({
      ...row,
      broker_rows: Number(broker_rows),
      broker_seed: broker_seed ?? undefined,
      bars: Number(bars),
      rejected_rows: Number(rejected_rows),
      published_at: new Date(Number(published_at_ms)),
      generated: generated.edition > 0 ? generated : undefined,
    }),
  );
}
