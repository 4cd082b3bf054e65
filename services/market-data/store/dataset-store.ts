import type {
  Broker,
  Dataset,
  ImportFinding,
  RejectedRow,
  RejectionSummary,
  ServedDataset,
} from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { commandEverywhere, storedTable } from '#platform/clickhouse/cluster.ts';
import { readDatasets, servedVersion } from '#shared/market/dataset-feed.ts';
import { asClickHouseTime } from '../import/staging/stored-names.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';

/** Published versions, the record of served versions, and data about imports. */
export class DatasetStore {
  readonly #client: ClickHouseClient;

  constructor(client: ClickHouseClient) {
    this.#client = client;
  }

  /** The version to be served. Without a dataset it is lost: it was published, but is not in the store. */
  async served(): Promise<{ version: string; dataset: Dataset | undefined } | undefined> {
    const version = await servedVersion(this.#client);
    if (version === undefined) return undefined;
    const [dataset] = await readDatasets(this.#client, { version });
    return { version, dataset };
  }

  /** Serves a published version from now on, by adding a row to the record. */
  async serve(order: Omit<ServedDataset, 'served_at' | 'is_published'>, now: Date): Promise<void> {
    const [last] = await this.history(1);
    const servedAt = new Date(Math.max(now.getTime(), (last?.served_at?.getTime() ?? 0) + 1));
    await this.restoreServed({ ...order, served_at: servedAt });
  }

  /** Writes a row of the record with its original time. */
  async restoreServed(served: Omit<ServedDataset, 'is_published'>): Promise<void> {
    const { version, action, actor, reason, served_at } = served;
    await this.#client.insert({
      table: 'market.served',
      values: [{ version, action, actor, reason, served_at: asClickHouseTime(served_at!) }],
      format: 'JSONEachRow',
    });
  }

  /** The versions served so far with their start times, newest first. */
  async history(limit: number): Promise<ServedDataset[]> {
    const query = `SELECT version, action, actor, reason, toString(toUnixTimestamp64Milli(served_at)) AS served_at_ms,
        toBool(version IN (SELECT version FROM market.dataset)) AS is_published
      FROM market.served ORDER BY served_at DESC LIMIT {limit:UInt32}`;
    const found = await clickhouseRows<Row>(this.#client, query, { limit });
    type Row = Omit<ServedDataset, 'served_at'> & { served_at_ms: string };
    return found.map(({ served_at_ms, ...row }) => ({ ...row, served_at: new Date(Number(served_at_ms)) }));
  }

  /** Newest first. */
  list(): Promise<Dataset[]> {
    return readDatasets(this.#client);
  }

  async namesTaken(): Promise<Pick<Dataset, 'version'>[]> {
    const query = `SELECT version FROM market.dataset UNION ALL SELECT version FROM market.pruned_version
      UNION ALL SELECT version FROM market.served`;
    return clickhouseRows<Pick<Dataset, 'version'>>(this.#client, query);
  }

  /** The trading days of a version as ISO dates, ascending. */
  async tradingDays(version: string): Promise<string[]> {
    const query = `SELECT toString(date) AS day FROM market.daily_bar WHERE dataset_version = {version:String}
      GROUP BY date ORDER BY date`;
    const found = await clickhouseRows<{ day: string }>(this.#client, query, { version });
    return found.map(({ day }) => day);
  }

  /** Publishes a version. All its other rows must be stored already. */
  async insert({ published_at, ...dataset }: Dataset): Promise<void> {
    await this.#client.insert({
      table: 'market.dataset',
      values: [{ ...dataset, published_at: asClickHouseTime(published_at!) }],
      format: 'JSONEachRow',
    });
  }

  /** Unpublishes a version. Its rows remain until the next import or start. */
  async remove(version: string): Promise<void> {
    await commandEverywhere(this.#client, {
      query: `DELETE FROM ${storedTable(this.#client, 'market.dataset')} WHERE version = {version:String}`,
      query_params: { version },
    });
  }

  /** Refused rows by reason, most frequent first. */
  async rejections(version: string): Promise<RejectionSummary[]> {
    const query = `WITH min((first_file, first_line)) AS first
      SELECT reason, toUInt32(sum(rejection.rows)) AS rows, concat(first.1, ':', toString(first.2)) AS first_at
      FROM market.rejection WHERE dataset_version = {version:String}
      GROUP BY reason ORDER BY rows DESC, reason`;
    return clickhouseRows<RejectionSummary>(this.#client, query, { version });
  }

  /** Findings of a version's import about the rows that stay, most frequent first. */
  async findings(version: string): Promise<ImportFinding[]> {
    const query = `SELECT finding, toUInt32(count) AS count, first_at FROM market.finding
      WHERE dataset_version = {version:String} ORDER BY market.finding.count DESC, finding`;
    return clickhouseRows<ImportFinding>(this.#client, query, { version });
  }

  /**
   * Refused rows of a version; of the served one if `version` is ''.
   * @throws ServiceError not_found for a version that is not published
   */
  async rejectedRows(version: string, limit: number): Promise<{ version: string; rows: RejectedRow[] }> {
    const wanted = await this.find(version);
    const query = `SELECT file, line, reason, text FROM market.rejected_row
      WHERE dataset_version = {version:String} ORDER BY file, line LIMIT {limit:UInt32}`;
    const rows = await clickhouseRows<RejectedRow>(this.#client, query, { version: wanted.version, limit });
    return { version: wanted.version, rows };
  }

  /**
   * The broker table of a version, sorted by code; of the served version if `version` is ''.
   * @throws ServiceError not_found for a version that is not published
   */
  async brokers(version: string): Promise<{ version: string; brokers: Broker[] }> {
    const wanted = await this.find(version);
    const query = `SELECT code, name, toBool(is_retail) AS is_retail, toBool(is_foreign) AS is_foreign FROM market.broker
      WHERE dataset_version = {version:String} ORDER BY code`;
    const brokers = await clickhouseRows<Broker>(this.#client, query, { version: wanted.version });
    return { version: wanted.version, brokers };
  }

  /**
   * A published version; the served one if `version` is ''.
   * @throws ServiceError not_found
   */
  async find(version: string): Promise<Dataset> {
    const name = version || (await servedVersion(this.#client));
    if (name === undefined) throw new ServiceError('not_found', 'There is no dataset yet.');
    const [wanted] = await readDatasets(this.#client, { version: name });
    if (!wanted) {
      const message = `There is no dataset ${name}. 'saring dataset list' shows which there are.`;
      throw new ServiceError('not_found', message);
    }
    return wanted;
  }
}
