import type { Broker } from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseClient } from '#shared/clickhouse/clickhouse.ts';
import { insertBlocks, type StagedBlock } from '../files/staged-blocks.ts';
import type { BrokerLayout } from './broker-layout.ts';
import { brokerRowsSql } from './broker-row-sql.ts';

/** The private tables of one import's broker rows, and its broker table. */
export class BrokerStaging {
  /**
   * One row a line: the line itself, what it says, and why it is refused, '' when it is not. In the order in which
   * segments are written.
   */
  readonly rows: string;
  /** Where rows are that are refused for what bars or other rows say: file, line, reason. */
  readonly refused: string;
  /** Rows that stay, of some months at a time, as segments have them. */
  readonly kept: string;
  /** What stands in the rows that stay of each stock-day of a market, and what the exchange says of it. */
  readonly stockDays: string;
  /** The uploaded broker table; empty when there is none. */
  readonly table: Broker[] = [];
  readonly #client: ClickHouseClient;

  /** @param prefix of the names of its tables, database included */
  constructor(client: ClickHouseClient, prefix: string) {
    this.#client = client;
    const table = (name: string) => `${prefix}_${name}`;
    [this.rows, this.refused] = [table('row'), table('refused')];
    [this.kept, this.stockDays] = [table('kept'), table('stock_day')];
  }

  /** With the version's first and last day as parameters. */
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
    // The table lives for seconds: merging its parts would be wasted.
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
         has_odd_lots UInt8, ${amounts}, volume Float64)
       ENGINE = MergeTree ORDER BY (ticker, date, market)`,
    ]) {
      await this.#client.command({ query });
    }
  }

  /** Adds the lines of files that are laid out alike. Rows of days after `latestDay` are refused. */
  async insertRows(
    layout: BrokerLayout,
    blocks: AsyncIterable<StagedBlock>,
    latestDay: string,
    into = this.rows,
  ): Promise<void> {
    const query = `INSERT INTO ${into} ${brokerRowsSql(layout)}`;
    await insertBlocks(this.#client, query, { latestDay }, blocks);
  }

  async drop(): Promise<void> {
    for (const table of [this.rows, this.refused, this.kept, this.stockDays]) {
      await this.#client.command({ query: `DROP TABLE IF EXISTS ${table} SYNC` });
    }
  }
}
