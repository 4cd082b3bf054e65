import type { Broker } from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { insertBlocks, type StagedBlock } from './staged-blocks.ts';
import type { BrokerLayout } from '#shared/data-format/broker-layout.ts';
import { brokerRowsSql } from './broker-row-sql.ts';

/** The private tables of an import's broker rows, and its broker table. */
export class BrokerStaging {
  /**
   * One row per line: the line, its parsed fields, and the reason for refusing it ('' if it is not refused). Sorted in
   * the order in which segments are written.
   */
  readonly rows: string;
  /** Rows refused because of bars or other rows: file, line, reason. */
  readonly refused: string;
  /** Kept rows of a few months at a time, in the form of segments. */
  readonly kept: string;
  /** Per stock-day and market: sums over the kept rows, and the exchange's volume. */
  readonly stockDays: string;
  /** The uploaded broker table; empty if there is none. */
  readonly table: Broker[] = [];
  readonly #client: ClickHouseClient;

  /** @param prefix prefix of the table names, including the database */
  constructor(client: ClickHouseClient, prefix: string) {
    this.#client = client;
    const table = (name: string) => `${prefix}_${name}`;
    [this.rows, this.refused] = [table('row'), table('refused')];
    [this.kept, this.stockDays] = [table('kept'), table('stock_day')];
  }

  get tables(): string[] {
    return [this.rows, this.refused, this.kept, this.stockDays];
  }

  /** SQL of rows that can be refused without bars. Its parameters are the first and the last day of the version. */
  get refusedAtOnce(): string {
    return `SELECT file, line, why AS reason, text FROM (
        SELECT file, line, text, multiIf(reason != '', toString(reason),
          date NOT BETWEEN {firstDay:Date} AND {lastDay:Date}, 'day outside the days of the dataset', '') AS why
        FROM ${this.rows})
      WHERE why != ''`;
  }

  async create(): Promise<void> {
    const amounts = 'buy_shares UInt64, buy_value UInt64, sell_shares UInt64, sell_value UInt64';
    const stockDay = 'ticker LowCardinality(String), date Date, market LowCardinality(String)';
    // The table exists for seconds only, so merging its parts would be wasted work.
    const settings = 'SETTINGS max_bytes_to_merge_at_max_space_in_pool = 1';
    for (const query of [
      `CREATE TABLE ${this.rows} (file LowCardinality(String), line UInt32, text String, month Date,
         ticker LowCardinality(String), date Date, board LowCardinality(String), broker LowCardinality(String),
         is_net UInt8, ${amounts}, reason LowCardinality(String))
       ENGINE = MergeTree ORDER BY (month, ticker, date, board, broker, file, line) ${settings}`,
      `CREATE TABLE ${this.refused} (file LowCardinality(String), line UInt32, reason LowCardinality(String))
       ENGINE = MergeTree ORDER BY (file, line)`,
      `CREATE TABLE ${this.kept} (${stockDay}, broker LowCardinality(String), mode LowCardinality(String), ${amounts})
       ENGINE = Memory`,
      `CREATE TABLE ${this.stockDays} (${stockDay}, is_net UInt8, buyers UInt32, sellers UInt32,
         has_odd_lots UInt8, is_added_up UInt8, ${amounts}, volume Float64)
       ENGINE = MergeTree ORDER BY (ticker, date, market)`,
    ]) {
      await this.#client.command({ query });
    }
  }

  /** Inserts the lines of files with the same layout. Rows of days after `latestDay` are refused. */
  async insertRows(
    layout: BrokerLayout,
    blocks: AsyncIterable<StagedBlock>,
    latestDay: string,
    into = this.rows,
  ): Promise<void> {
    const query = `INSERT INTO ${into} ${brokerRowsSql(layout)}`;
    await insertBlocks(this.#client, query, { latestDay }, blocks);
  }
}
