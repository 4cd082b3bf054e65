import type { StoreModelResultRequest } from '#proto/saring/market_data/v1/model_results.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { asClickHouseTime } from '../import/staging/stored-names.ts';

/** The results of a model in a kind of market. */
export interface StoredResults {
  dataset_kind: string;
  model_id: string;
  /** Another number after every change. */
  rows: number;
  /** First and last day that has a result, YYYY-MM-DD. */
  first_day: string;
  last_day: string;
}

export class ModelResultStore {
  readonly #client: ClickHouseClient;

  constructor(client: ClickHouseClient) {
    this.#client = client;
  }

  /** Ordered by market and model. */
  all(): Promise<StoredResults[]> {
    return clickhouseRows<StoredResults>(
      this.#client,
      `SELECT toString(dataset_kind) AS dataset_kind, toString(model_id) AS model_id, toUInt32(count()) AS rows,
         toString(min(as_of)) AS first_day, toString(max(as_of)) AS last_day
       FROM market.model_result GROUP BY dataset_kind, model_id ORDER BY dataset_kind, model_id`,
    );
  }

  /** Stores a result, unless its day has one: what was said of a day stays. */
  async store({ stocks, ...result }: StoreModelResultRequest, now: Date): Promise<void> {
    if (await this.#has(result)) return;
    const column = <T>(of: (stock: (typeof stocks)[number]) => T) => stocks.map(of);
    await this.#client.insert({
      table: 'market.model_result',
      values: [
        {
          ...result,
          stored_at: asClickHouseTime(now),
          tickers: column(({ ticker }) => ticker),
          probabilities: column(({ probability = null }) => probability),
          ranks: column(({ rank = null }) => rank),
          picks: column(({ picked }) => picked),
        },
      ],
      format: 'JSONEachRow',
    });
  }

  async #has({
    dataset_kind,
    model_id,
    as_of,
  }: Pick<StoreModelResultRequest, 'dataset_kind' | 'model_id' | 'as_of'>): Promise<boolean> {
    const found = await clickhouseRows(
      this.#client,
      `SELECT 1 FROM market.model_result WHERE dataset_kind = {dataset_kind:String} AND model_id = {model_id:String}
         AND as_of = {as_of:Date} LIMIT 1`,
      { dataset_kind, model_id, as_of },
    );
    return found.length > 0;
  }
}
