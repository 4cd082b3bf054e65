import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseClient } from './clickhouse.ts';
import type { Logger } from './logger.ts';
import { subjects } from './nats/subjects.ts';

export interface DatasetFeedOptions {
  clickhouse: ClickHouseClient;
  nats: NatsConnection;
  log: Logger;
  /** Called with the newest published dataset when it is first seen, and again whenever another one is newer. */
  onNewest: (dataset: Dataset) => void;
  /** Finds what was published while NATS was away. */
  pollMs?: number;
}

/** After a failed look, so that a ClickHouse that comes back is noticed soon. */
const RETRY_MS = 1_000;

/**
 * Which published dataset is the newest, and when that changes: it looks when a publication is announced, and every
 * few seconds besides, because announcements are not stored. ClickHouse may be away at any time, also at the start.
 */
export class DatasetFeed {
  readonly #options: DatasetFeedOptions;
  #newest: Dataset | undefined;
  #looking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #subscription: Subscription | undefined;
  #isAway = false;

  constructor(options: DatasetFeedOptions) {
    this.#options = options;
  }

  /** The newest dataset seen so far. */
  get newest(): Dataset | undefined {
    return this.#newest;
  }

  start(): void {
    const look = () => void this.look();
    this.#subscription = this.#options.nats.subscribe(subjects.datasetPublished, { callback: look });
    look();
  }

  stop(): void {
    this.#subscription?.unsubscribe();
    this.#subscription = undefined;
    clearTimeout(this.#timer);
  }

  /** Looks now; when a look is under way already, once more after it, since that one may have read too early. */
  look(): Promise<void> {
    const look = (this.#looking ?? Promise.resolve()).then(() => this.#look());
    this.#looking = look;
    return look;
  }

  /**
   * Whether a dataset is known that reaches this trading day (YYYY-MM-DD; any will do when empty). Looks now if none is,
   * but not while ClickHouse is away: then it looks every second anyhow, and whoever asks would wait for nothing.
   */
  async reach(tradingDay: string): Promise<boolean> {
    const reaches = () => this.#newest !== undefined && this.#newest.last_date >= tradingDay;
    if (!reaches() && !this.#isAway) await this.look();
    return reaches();
  }

  async #look(): Promise<void> {
    const { clickhouse, log, onNewest, pollMs = 5_000 } = this.#options;
    clearTimeout(this.#timer);
    try {
      const [newest] = await readDatasets(clickhouse, { limit: 1 });
      if (this.#isAway) log.info('datasets can be read again');
      this.#isAway = false;
      if (newest && newest.version !== this.#newest?.version) {
        this.#newest = newest;
        onNewest(newest);
      }
    } catch (error) {
      if (!this.#isAway) log.warn({ reason: (error as Error).message }, 'datasets cannot be read');
      this.#isAway = true;
    }
    if (this.#subscription)
      this.#timer = setTimeout(() => void this.look(), this.#isAway ? RETRY_MS : pollMs);
  }
}

type DatasetRow = Omit<Dataset, 'bars' | 'rejected_rows' | 'published_at' | 'broker_rows' | 'broker_seed'> & {
  bars: string;
  broker_rows: string;
  broker_seed: number | null;
  rejected_rows: string;
  published_at_ms: string;
};

/** Published datasets, newest first. Rejects when ClickHouse is away or holds no such table yet. */
export async function readDatasets(
  clickhouse: ClickHouseClient,
  { limit }: { limit: number },
): Promise<Dataset[]> {
  const answer = await clickhouse.query({
    query: `SELECT version, kind, source, fingerprint, toString(first_date) AS first_date,
              toString(last_date) AS last_date, trading_days, tickers, toString(bars) AS bars,
              toString(rejected_rows) AS rejected_rows, broker_data, toString(broker_rows) AS broker_rows,
              broker_first_date, broker_last_date, broker_segments, broker_seed, origin_fingerprint,
              toString(toUnixTimestamp64Milli(published_at)) AS published_at_ms
            FROM market.dataset ORDER BY published_at DESC, version DESC LIMIT {limit:UInt32}`,
    query_params: { limit },
    format: 'JSONEachRow',
  });
  return (await answer.json<DatasetRow>()).map(
    ({ bars, broker_rows, broker_seed, rejected_rows, published_at_ms, ...row }) => ({
      ...row,
      broker_rows: Number(broker_rows),
      broker_seed: broker_seed ?? undefined,
      bars: Number(bars),
      rejected_rows: Number(rejected_rows),
      published_at: new Date(Number(published_at_ms)),
    }),
  );
}
