import type { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import type { ServiceClient } from '#platform/grpc/client.ts';
import { randomId } from '#foundation/ids.ts';
import { wholeUntil } from '#shared/market/newest-trading-day.ts';

/** The served market, as far as a source must know it to tell what is due. */
export interface MarketState {
  /** Empty if nothing is served. */
  version: string;
  /** `real` or `synthetic`; empty if nothing is served. */
  kind: string;
  /** Whether it is a generated market that can go on. */
  isGenerated: boolean;
  /** Trading days, YYYY-MM-DD, ascending. */
  days: readonly string[];
  /** The last whole day; empty if nothing is served. Later ones have data of few stocks. */
  wholeUntil: string;
  /** Newest day with broker rows; empty if there are none. */
  brokerLastDay: string;
  publishedAt: Date | undefined;
}

/** Whether a day is served with data of few stocks. */
export function isPartial({ days, wholeUntil }: MarketState, day: string): boolean {
  return day > wholeUntil && days.includes(day);
}

const NOTHING: MarketState = {
  version: '',
  kind: '',
  isGenerated: false,
  days: [],
  wholeUntil: '',
  brokerLastDay: '',
  publishedAt: undefined,
};

/**
 * Reads the served market. Trading days are read again only when the version changes. While it changes, the market is as it was
 * before.
 */
export class ServedMarket {
  readonly #datasets: ServiceClient<DatasetServiceService>;
  #known = NOTHING;

  constructor(datasets: ServiceClient<DatasetServiceService>) {
    this.#datasets = datasets;
  }

  /** @throws ServiceError data_unavailable */
  async read(): Promise<MarketState> {
    const call = { requestId: randomId('req') };
    const { dataset } = await this.#datasets.getCurrentDataset({}, call);
    if (!dataset) return NOTHING;
    const known_version = this.#known.version;
    const { version, days } = await this.#datasets.listTradingDays({ known_version }, call);
    if (version !== dataset.version) return this.#known;
    this.#known = {
      version: dataset.version,
      kind: dataset.kind,
      isGenerated: dataset.generated !== undefined,
      days: version === known_version ? this.#known.days : days,
      wholeUntil: wholeUntil(dataset),
      brokerLastDay: dataset.broker_last_date,
      publishedAt: dataset.published_at,
    };
    return this.#known;
  }
}
