import type { Dataset, ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { idxFile, tarGzOf, type IdxDay } from '../markets/idx-archive.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import type { UploadOptions } from './dataset-client.ts';

/** The last day of ClickHouse's type Date. */
const LAST_DAY = '2149-06-06';

/** A store into which a test imports datasets, through a service or without one. */
export abstract class TestedDatasets {
  /** A direct connection to ClickHouse with all rights. */
  sql!: ClickHouseClient;

  abstract importBytes(bytes: Buffer, options?: UploadOptions): Promise<ImportOutcome>;

  /** Every published version. */
  protected abstract listed(): Promise<Dataset[]>;

  select<Row>(query: string, params: Record<string, unknown> = {}): Promise<Row[]> {
    return clickhouseRows<Row>(this.sql, query, params);
  }

  async importFiles(files: Record<string, string>): Promise<ImportOutcome> {
    return this.importBytes(await tarGzOf(files));
  }

  /** Adds files to the served version. */
  async addFiles(
    files: Record<string, string>,
    header: UploadOptions['header'] = {},
  ): Promise<ImportOutcome> {
    return this.importBytes(await tarGzOf(files), { header: { adds: true, ...header } });
  }

  /** Imports days of one ticker and returns the published bars. */
  async published(days: (IdxDay | string)[], otherFiles: Record<string, string> = {}) {
    const { dataset, rejections } = await this.importFiles({ 'bars/AAAA.csv': idxFile(days), ...otherFiles });
    const bars = await this.select<Record<string, number> & { date: string }>(
      `SELECT * FROM market.daily_bar WHERE dataset_version = {version:String} AND ticker = 'AAAA' ORDER BY date`,
      { version: dataset!.version },
    );
    return { version: dataset!.version, dataset: dataset!, rejections, bars };
  }

  /** The bars of a version up to a day. */
  barsOf({ version }: Dataset, until = LAST_DAY) {
    return this.select(
      `SELECT * EXCEPT (dataset_version, origin) FROM market.daily_bar
       WHERE dataset_version = {version:String} AND date <= {until:Date} ORDER BY ticker, date`,
      { version, until },
    );
  }

  /** Its broker rows up to a day. */
  brokerRowsOf({ broker_segments }: Dataset, until = LAST_DAY) {
    return this.select(
      `SELECT * EXCEPT segment FROM market.broker_flow
       WHERE segment IN {broker_segments:Array(String)} AND date <= {until:Date}
       ORDER BY ticker, date, market, broker`,
      { broker_segments, until },
    );
  }

  /** The state that a failed import must not change. */
  async state() {
    const [tables, partitions, newest] = await Promise.all([
      this.select<{ name: string }>(`SELECT name FROM system.tables WHERE database = 'market' ORDER BY name`),
      this.select<{ name: string }>(
        `SELECT DISTINCT partition AS name FROM system.parts
         WHERE active AND database = 'market' AND partition != 'tuple()' ORDER BY name`,
      ),
      this.listed(),
    ]);
    return { tables, partitions, newest };
  }
}
