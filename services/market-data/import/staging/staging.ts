import type { StatedAction } from '#quant/corporate-actions/corporate-action.ts';
import type { Rename } from '#quant/corporate-actions/renames.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { AMOUNT_COLUMNS, BITS_OF_MASK, PRICE_COLUMNS } from './bar-groups.ts';
import { BrokerStaging } from './broker-staging.ts';
import type { BrokerLayout } from '#shared/data-format/broker-layout.ts';
import type { IdxColumn } from '#shared/data-format/idx-columns.ts';
import type { BarsLayout } from '../files/idx-format.ts';
import { listingRows } from '../files/listing-rows.ts';
import { insertBlocks, STAGED_BLOCK_STRUCTURE, type StagedBlock } from './staged-blocks.ts';
import { STAGING_PREFIX } from './stored-names.ts';
import { field, NOISE, reasonSql } from '../rules/row-rules.ts';

/** Numeric columns of the staging table, and the file columns they come from. */
const NUMBERS: Record<string, IdxColumn> = {
  previous: 'previous',
  open_price: 'open_price',
  high: 'high',
  low: 'low',
  close: 'close',
  volume: 'volume',
  value: 'value',
  frequency: 'frequency',
  listed_shares: 'listed_shares',
  foreign_sell: 'foreign_sell',
  foreign_buy: 'foreign_buy',
  nego_volume: 'non_regular_volume',
  nego_value: 'non_regular_value',
  nego_frequency: 'non_regular_frequency',
};
/** Whether a merged row says anything new. */
const IS_NEW_ORIGIN = `combination % ${1 << BITS_OF_MASK} > 0`;

/** The number of staged rows by kind, including refused rows. */
export interface StagedContents {
  bars: number;
  listings: number;
  refusedListings: number;
  brokerRows: number;
  /** Entries of a broker table. */
  brokers: number;
  /** Entries of a table of corporate actions. */
  actions: number;
}

export interface UnreadableLine {
  line: number;
  reason: string;
  text: string;
}

/** The private tables of one import. */
export class Staging {
  /** One row per line: the line, its fields as numbers, and the reason for refusing it ('' if it is not refused). */
  readonly rows: string;
  /** One row per line of a listing file. */
  readonly listing: string;
  /** Rows refused because of other rows: file, line, reason. */
  readonly refused: string;
  /** The rows that may stay, merged with those of the base, each with what of it is new over which origin. Only with a base. */
  readonly merged: string;
  /** The number of the first origin that merging makes. */
  firstOrigin = 1;
  /** What corporate actions say about single bars: ticker, date, factor, share_factor. */
  readonly statedFactors: string;
  /** The uploaded table of corporate actions; undefined if there is none. */
  actions: StatedAction[] | undefined;
  /** Renames by which rows of the base are read. The staged rows have the names of today. */
  renames: readonly Rename[] = [];
  readonly brokers: BrokerStaging;
  readonly #client: ClickHouseClient;
  readonly #closedDays: readonly string[];

  /** @param closedDays weekdays of which no row may be */
  constructor(client: ClickHouseClient, importId: string, closedDays: readonly string[]) {
    this.#client = client;
    this.#closedDays = closedDays;
    const table = (name: string) => `market.${STAGING_PREFIX}${importId}_${name}`;
    [this.rows, this.listing, this.refused] = [table('row'), table('listing'), table('refused')];
    this.merged = table('merged');
    this.statedFactors = table('stated_factor');
    this.brokers = new BrokerStaging(client, table('broker'));
  }

  /** SQL of the combinations that make new origins, in the order of their numbers. */
  get combinationsSql(): string {
    return `(SELECT arraySort(groupUniqArray(combination)) FROM ${this.merged} WHERE ${IS_NEW_ORIGIN})`;
  }

  get originSql(): string {
    return `toUInt32(if(${IS_NEW_ORIGIN}, ${this.firstOrigin - 1} + indexOf(${this.combinationsSql}, combination),
      bitShiftRight(combination, ${BITS_OF_MASK})))`;
  }

  get refusedAtOnce(): string {
    return `SELECT file, line, toString(reason) AS reason, text FROM ${this.rows} WHERE reason != ''
      UNION ALL SELECT file, line, reason, text FROM ${this.listing} WHERE reason != ''`;
  }

  async create(): Promise<void> {
    const columns = (names: string[], type: string) => names.map((name) => `${name} ${type}`).join(', ');
    const numbers = columns(Object.keys(NUMBERS), 'Float64');
    // The table exists for seconds only, so merging its parts would be wasted work.
    const settings = 'SETTINGS max_bytes_to_merge_at_max_space_in_pool = 1';
    for (const query of [
      `CREATE TABLE ${this.rows} (file LowCardinality(String), line UInt32, text String,
         ticker LowCardinality(String), date Date32, ${numbers}, bid Float64, reason LowCardinality(String))
       ENGINE = MergeTree ORDER BY (ticker, date, file, line) ${settings}`,
      `CREATE TABLE ${this.listing} (file String, line UInt32, text String, ticker String, name String, sector String,
         board String, listed_on Nullable(Date), reason String)
       ENGINE = MergeTree ORDER BY (ticker, file)`,
      `CREATE TABLE ${this.refused} (file LowCardinality(String), line UInt32, reason LowCardinality(String))
       ENGINE = MergeTree ORDER BY (file, line)`,
      `CREATE TABLE ${this.merged} (file LowCardinality(String), line UInt32, ticker LowCardinality(String), date Date,
         ${columns(PRICE_COLUMNS, 'Float32')}, ${columns(AMOUNT_COLUMNS, 'Float64')}, combination UInt64)
       ENGINE = MergeTree ORDER BY (ticker, date) ${settings}`,
      `CREATE TABLE ${this.statedFactors} (ticker LowCardinality(String), date Date, factor Float64,
         share_factor Float64)
       ENGINE = MergeTree ORDER BY (ticker, date)`,
    ]) {
      await this.#client.command({ query });
    }
    await this.brokers.create();
  }

  /**
   * Streams lines into the server, which splits, parses and checks them as they arrive. Rows of days after `latestDay`, and of
   * days on which the exchange was closed, are refused.
   */
  async insertRows(
    layout: BarsLayout,
    blocks: AsyncIterable<StagedBlock>,
    latestDay: string,
    into = this.rows,
  ): Promise<void> {
    const query = `INSERT INTO ${into} ${parsedRowsSql(layout)}`;
    await insertBlocks(this.#client, query, { latestDay, closedDays: this.#closedDays }, blocks);
  }

  async insertListing(file: string, sector: string, csv: string): Promise<void> {
    const values = listingRows(csv).map((row) => ({ file, sector, ...row }));
    if (values.length > 0) await this.#client.insert({ table: this.listing, values, format: 'JSONEachRow' });
  }

  /**
   * Checks lines of one file without staging them.
   * @returns the first line with the reason it cannot be read; undefined if any of the lines can be read
   */
  async judge(
    layout: BarsLayout | BrokerLayout,
    blocks: StagedBlock[],
    latestDay: string,
  ): Promise<UnreadableLine | undefined> {
    const rows = 'format' in layout ? this.brokers.rows : this.rows;
    const judged = `${rows}_judged`;
    await this.#client.command({ query: `CREATE OR REPLACE TABLE ${judged} AS ${rows} ENGINE = Memory` });
    await ('format' in layout
      ? this.brokers.insertRows(layout, each(blocks), latestDay, judged)
      : this.insertRows(layout, each(blocks), latestDay, judged));
    const query = `SELECT line, reason, toValidUTF8(text) AS text, (SELECT countIf(reason = '') FROM ${judged}) AS readable
      FROM ${judged} WHERE readable = 0 ORDER BY line LIMIT 1`;
    const [first] = await clickhouseRows<UnreadableLine>(this.#client, query);
    await this.#client.command({ query: `DROP TABLE ${judged} SYNC` });
    return first;
  }

  async contents(): Promise<StagedContents> {
    const query = `SELECT (SELECT toUInt32(count()) FROM ${this.rows}) AS bars,
        (SELECT toUInt32(count()) FROM ${this.listing}) AS listings,
        (SELECT toUInt32(countIf(reason != '')) FROM ${this.listing}) AS refusedListings,
        (SELECT toUInt32(count()) FROM ${this.brokers.rows}) AS brokerRows,
        {brokers:UInt32} AS brokers, {actions:UInt32} AS actions`;
    const [row] = await clickhouseRows<StagedContents>(this.#client, query, {
      brokers: this.brokers.table.length,
      actions: this.actions?.length ?? 0,
    });
    return row!;
  }

  async drop(): Promise<void> {
    const tables = [
      this.rows,
      this.listing,
      this.refused,
      this.merged,
      this.statedFactors,
      ...this.brokers.tables,
    ];
    await this.#client.command({ query: `DROP TABLE IF EXISTS ${tables.join(', ')} SYNC` });
  }
}

async function* each<T>(items: T[]): AsyncGenerator<T> {
  yield* items;
}

/** SQL of a number, which is whole if only noise tells it from a whole one; NULL for an empty or malformed field. */
function numberSql(column: IdxColumn): string {
  const [number, read] = [`toFloat64OrNull(${field(column)})`, `${column}_read`];
  return `if(abs((${number} AS ${read}) - round(${read})) < ${NOISE}, round(${read}), ${read})`;
}

const IS_EMPTY = (column: IdxColumn) => `${field(column)} = ''`;
const FOREIGN_UNSAID = `(${IS_EMPTY('foreign_buy')} OR ${IS_EMPTY('foreign_sell')})`;
const NEGO_UNSAID = `(${IS_EMPTY('non_regular_volume')} OR ${IS_EMPTY('non_regular_value')})`;

/** What stands for an empty field where 0 is a value that rows have. These columns say something only together. */
const UNSAID = `if(${FOREIGN_UNSAID}, nan, foreign_buy) AS foreign_buy,
    if(${FOREIGN_UNSAID}, nan, foreign_sell) AS foreign_sell,
    if(${NEGO_UNSAID}, nan, nego_volume) AS nego_volume,
    if(${NEGO_UNSAID}, nan, nego_value) AS nego_value,
    if(${NEGO_UNSAID}, 0, nego_frequency) AS nego_frequency`;

/** SQL that turns blocks into lines, lines into fields, and fields into numbers (malformed is NaN; empty is 0 or, where 0 is a value, NaN). */
function parsedRowsSql(layout: BarsLayout): string {
  return `SELECT * EXCEPT fields REPLACE (${UNSAID}) FROM (${judgedRowsSql(layout)})`;
}

/** SQL of the same, in which empty is 0 for the rules of rows, but NaN for a bid. */
function judgedRowsSql(layout: BarsLayout): string {
  const numbers = Object.entries(NUMBERS).map(
    ([name, column]) => `ifNull(${numberSql(column)}, if(${field(column)} = '', 0, nan)) AS ${name}`,
  );
  const dayText = `substring(${field('date')}, 1, 10)`;
  return `SELECT file, line, text, ticker, ifNull(staged_date, toDate32('1970-01-01')) AS date,
    ${numbers.join(',\n    ')},
    ifNull(${numberSql('bid')}, nan) AS bid,
    ${reasonSql()} AS reason, fields
  FROM (
    SELECT file, line, text, ${fieldsSql(layout)}, ${dayText} AS day_text,
      toDate32OrNull(day_text) AS parsed_date,
      if(toString(parsed_date) = day_text AND substring(${field('date')}, 11) IN ('', 'T00:00:00'),
        parsed_date, NULL) AS staged_date
    FROM (
      SELECT file, ticker, first_line + line_index - 1 AS line, text
      FROM (SELECT file, ticker, first_line, splitByChar('\\n', block) AS lines
            FROM input('${STAGED_BLOCK_STRUCTURE}'))
      ARRAY JOIN lines AS text, arrayEnumerate(lines) AS line_index
      WHERE text != ''
    )
  )`;
}

/**
 * SQL of the fields of the IDX daily format and the ticker, which is either one of the columns or came with the block.
 */
function fieldsSql({ tickerColumn }: BarsLayout): string {
  if (tickerColumn === undefined) return `ticker, splitByChar(',', text) AS fields`;
  const [before, after] = [
    `arraySlice(all_fields, 1, ${tickerColumn})`,
    `arraySlice(all_fields, ${tickerColumn + 2})`,
  ];
  return `splitByChar(',', text) AS all_fields, arrayConcat(${before}, ${after}) AS fields,
      upper(trimBoth(all_fields[${tickerColumn + 1}])) AS ticker`;
}
