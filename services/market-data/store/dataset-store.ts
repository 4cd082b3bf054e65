import type {
  Broker,
  Dataset,
  ImportFinding,
  RejectedRow,
  RejectionSummary,
} from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import { readDatasets } from '#shared/dataset-feed.ts';
import { ServiceError } from '#shared/service-error.ts';

/** More versions than a year of daily imports. */
const MAX_LISTED = 1_000;

/** What is published, and how it came to be. */
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

  /** What no version may be called any more. */
  async namesTaken(): Promise<Pick<Dataset, 'version'>[]> {
    const answer = await this.#client.query({
      query: 'SELECT version FROM market.dataset UNION ALL SELECT version FROM market.pruned_version',
      format: 'JSONEachRow',
    });
    return answer.json<Pick<Dataset, 'version'>>();
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
  rejections(version: string): Promise<RejectionSummary[]> {
    const rows = 'SELECT * FROM market.rejected_row WHERE dataset_version = {version:String}';
    return summarizeRejections(this.#client, rows, { version });
  }

  /** What the import of a version found in the rows that stay, most frequent first. */
  async findings(version: string): Promise<ImportFinding[]> {
    const answer = await this.#client.query({
      query: `SELECT finding, toUInt32(count) AS count, first_at FROM market.finding
              WHERE dataset_version = {version:String} ORDER BY market.finding.count DESC, finding`,
      query_params: { version },
      format: 'JSONEachRow',
    });
    return answer.json<ImportFinding>();
  }

  /**
   * Refused rows of a version, of the newest when it is ''.
   * @throws ServiceError not_found for a version that is not published
   */
  async rejectedRows(version: string, limit: number): Promise<RejectedRow[]> {
    const wanted = await this.#find(version);
    const answer = await this.#client.query({
      query: `SELECT file, line, reason, text FROM market.rejected_row
              WHERE dataset_version = {version:String} ORDER BY file, line LIMIT {limit:UInt32}`,
      query_params: { version: wanted.version, limit },
      format: 'JSONEachRow',
    });
    return answer.json<RejectedRow>();
  }

  /**
   * The broker table of a version, of the newest when it is '', by code.
   * @throws ServiceError not_found for a version that is not published
   */
  async brokers(version: string): Promise<{ version: string; brokers: Broker[] }> {
    const wanted = await this.#find(version);
    const answer = await this.#client.query({
      query: `SELECT code, name, is_retail, is_foreign FROM market.broker
              WHERE dataset_version = {version:String} ORDER BY code`,
      query_params: { version: wanted.version },
      format: 'JSONEachRow',
    });
    type Row = Omit<Broker, 'is_retail' | 'is_foreign'> & { is_retail: number; is_foreign: number };
    const brokers = (await answer.json<Row>()).map(({ is_retail, is_foreign, ...broker }) => ({
      ...broker,
      is_retail: is_retail === 1,
      is_foreign: is_foreign === 1,
    }));
    return { version: wanted.version, brokers };
  }

  async #find(version: string): Promise<Dataset> {
    const datasets = await this.list();
    const wanted = version === '' ? datasets[0] : datasets.find((dataset) => dataset.version === version);
    if (!wanted) throw new ServiceError('not_found', `There is no dataset ${version || 'yet'}.`);
    return wanted;
  }
}

/**
 * Rows by reason, most frequent first.
 * @param rows SQL of rows with file, line and reason
 */
export async function summarizeRejections(
  client: ClickHouseClient,
  rows: string,
  params: Record<string, unknown> = {},
): Promise<RejectionSummary[]> {
  const answer = await client.query({
    query: `SELECT reason, toUInt32(count()) AS rows, argMin((file, line), (file, line)) AS first,
              concat(first.1, ':', toString(first.2)) AS first_at
            FROM (${rows}) GROUP BY reason ORDER BY rows DESC, reason`,
    query_params: params,
    format: 'JSONEachRow',
  });
  const summaries = await answer.json<RejectionSummary>();
  return summaries.map(({ reason, rows, first_at }) => ({ reason, rows, first_at }));
}
