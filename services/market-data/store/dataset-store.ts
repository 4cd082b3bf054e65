import type { Dataset, RejectedRow, RejectionSummary } from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import { readDatasets } from '#shared/dataset-feed.ts';
import { ServiceError } from '#shared/service-error.ts';

/** More versions than a year of daily imports. */
const MAX_LISTED = 1_000;

/** What is published, as `market.dataset` and `market.rejected_row` tell it. */
export class DatasetStore {
  readonly #client: ClickHouseClient;

  constructor(client: ClickHouseClient) {
    this.#client = client;
  }

  async newest(): Promise<Dataset | undefined> {
    return (await readDatasets(this.#client, { limit: 1 }))[0];
  }

  /** Newest first. */
  list(): Promise<Dataset[]> {
    return readDatasets(this.#client, { limit: MAX_LISTED });
  }

  /** Makes a version visible. Everything else of it must be stored by then. */
  async insert({ published_at, ...dataset }: Dataset): Promise<void> {
    await this.#client.insert({
      table: 'market.dataset',
      values: [{ ...dataset, published_at: published_at!.toISOString().replace('T', ' ').replace('Z', '') }],
      format: 'JSONEachRow',
    });
  }

  /** Refused rows by reason, most frequent first. */
  async rejections(version: string): Promise<RejectionSummary[]> {
    const answer = await this.#client.query({
      query: `SELECT reason, toUInt32(count()) AS rows, argMin((file, line), (file, line)) AS first,
                concat(first.1, ':', toString(first.2)) AS first_at
              FROM market.rejected_row WHERE dataset_version = {version:String}
              GROUP BY reason ORDER BY rows DESC, reason`,
      query_params: { version },
      format: 'JSONEachRow',
    });
    const rows = await answer.json<RejectionSummary>();
    return rows.map(({ reason, rows, first_at }) => ({ reason, rows, first_at }));
  }

  /** @throws ServiceError not_found for a version that is not published */
  async rejectedRows(version: string, limit: number): Promise<RejectedRow[]> {
    const datasets = await this.list();
    const wanted = version === '' ? datasets[0] : datasets.find((dataset) => dataset.version === version);
    if (!wanted) throw new ServiceError('not_found', `There is no dataset ${version || 'yet'}.`);
    const answer = await this.#client.query({
      query: `SELECT file, line, reason, text FROM market.rejected_row
              WHERE dataset_version = {version:String} ORDER BY file, line LIMIT {limit:UInt32}`,
      query_params: { version: wanted.version, limit },
      format: 'JSONEachRow',
    });
    return answer.json<RejectedRow>();
  }
}
