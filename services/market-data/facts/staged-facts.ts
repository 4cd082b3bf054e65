import { Readable } from 'node:stream';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { STAGING_PREFIX } from '../import/staging/stored-names.ts';
import type { FactRow } from './fact-rows.ts';

/** Shown in the outcome. */
const MAX_UNKNOWN_TICKERS = 20;

/** The private table of one import of facts. */
export class StagedFacts {
  readonly #client: ClickHouseClient;
  readonly #table: string;
  readonly #source: string;

  /** @param source name of the file, for error messages */
  constructor(client: ClickHouseClient, importId: string, source: string) {
    this.#client = client;
    this.#table = `market.${STAGING_PREFIX}${importId}_fact`;
    this.#source = source;
  }

  async create(): Promise<void> {
    await this.#client.command({
      query: `CREATE TABLE ${this.#table} (line UInt32, field LowCardinality(String), ticker LowCardinality(String),
                known_since Date, value String) ENGINE = MergeTree ORDER BY (field, ticker, known_since)`,
    });
  }

  async drop(): Promise<void> {
    await this.#client.command({ query: `DROP TABLE IF EXISTS ${this.#table} SYNC` });
  }

  async insert(rows: AsyncIterable<readonly FactRow[]>): Promise<void> {
    const { stream } = await this.#client.exec({
      query: `INSERT INTO ${this.#table} FORMAT JSONEachRow`,
      values: Readable.from(linesOf(rows), { objectMode: false }),
    });
    stream.resume();
  }

  /** @throws ServiceError import_rejected for two lines that say different things of the same ticker, field and day */
  async refuseContradictions(): Promise<void> {
    const [row] = await clickhouseRows<Omit<Told, 'earlier'> & { told: [line: number, value: string][] }>(
      this.#client,
      `SELECT toString(field) AS field, toString(ticker) AS ticker, toString(known_since) AS day,
         arraySort(groupArray((line, value))) AS told
       FROM ${this.#table} GROUP BY field, ticker, known_since
       HAVING uniqExact(value) > 1 ORDER BY told LIMIT 1`,
    );
    if (!row) return;
    const [[first, earlier], ...others] = row.told as [[number, string], ...[number, string][]];
    const [line] = others.find(([, value]) => value !== earlier)!;
    throw this.#mistake(line, `${said({ ...row, earlier })} in line ${first} already`);
  }

  /** Names of the fields in the file, ascending. */
  async fields(): Promise<string[]> {
    const query = `SELECT DISTINCT toString(field) AS field FROM ${this.#table} ORDER BY field`;
    return (await clickhouseRows<{ field: string }>(this.#client, query)).map(({ field }) => field);
  }

  /**
   * @param edition of the values that the field has
   * @throws ServiceError import_rejected for a line that says something else than what is stored of its ticker and day: the past
   *   would change
   */
  async refuseChangesOfThePast(field: string, edition: string): Promise<void> {
    const [row] = await clickhouseRows<Told & { line: number }>(
      this.#client,
      `SELECT {field:String} AS field, toString(ticker) AS ticker, toString(known_since) AS day, line, stored.value AS earlier
       FROM (SELECT * FROM ${this.#table} WHERE field = {field:String}) AS staged
       INNER JOIN (SELECT ticker, known_since, value FROM market.fact WHERE edition = {edition:String}) AS stored
         USING (ticker, known_since)
       WHERE staged.value != stored.value ORDER BY line LIMIT 1`,
      { field, edition },
    );
    if (row)
      throw this.#mistake(
        row.line,
        `${said(row)} already. State a correction with the day since which it is known, or replace all values of the field`,
      );
  }

  /** How many rows of a field are not in an edition. */
  async added(field: string, edition: string): Promise<number> {
    const [row] = await clickhouseRows<{ rows: number }>(
      this.#client,
      `SELECT toUInt32(uniqExact((ticker, known_since))) AS rows FROM ${this.#table}
       WHERE field = {field:String} AND (ticker, known_since) NOT IN
         (SELECT ticker, known_since FROM market.fact WHERE edition = {edition:String})`,
      { field, edition },
    );
    return row!.rows;
  }

  /** Stores the next edition of fields: what is stored in the kept editions, and the staged rows. */
  async store(fields: readonly string[], version: number, kept: readonly string[]): Promise<void> {
    await this.#client.command({
      query: `INSERT INTO market.fact
              SELECT concat(field, '.', toString({version:UInt64})), field, ticker, known_since, any(value)
              FROM (SELECT field, ticker, known_since, value FROM ${this.#table} WHERE field IN {fields:Array(String)}
                    UNION ALL
                    SELECT field, ticker, known_since, value FROM market.fact WHERE edition IN {kept:Array(String)})
              GROUP BY field, ticker, known_since`,
      query_params: { fields, version, kept },
      // Each field is a partition.
      clickhouse_settings: { max_partitions_per_insert_block: '0' },
    });
  }

  /** Tickers that are not among the known ones, ascending: the first of them, and how many there are. */
  async unknownTickers(known: readonly string[]): Promise<{ tickers: string[]; count: number }> {
    const rows = await clickhouseRows<{ ticker: string }>(
      this.#client,
      `SELECT DISTINCT toString(ticker) AS ticker FROM ${this.#table} ORDER BY ticker`,
    );
    const isKnown = new Set(known);
    const unknown = rows.map(({ ticker }) => ticker).filter((ticker) => !isKnown.has(ticker));
    return { tickers: unknown.slice(0, MAX_UNKNOWN_TICKERS), count: unknown.length };
  }

  #mistake(line: number, what: string): ServiceError {
    return new ServiceError('import_rejected', `${this.#source}:${line}: ${what}`);
  }
}

/** What was told of a ticker before. */
interface Told {
  field: string;
  ticker: string;
  day: string;
  earlier: string;
}

function said({ field, ticker, day, earlier }: Told): string {
  const value = earlier === '' ? 'is withdrawn' : `is '${earlier}'`;
  return `${field} of ${ticker} ${value} since ${day}`;
}

async function* linesOf(rows: AsyncIterable<readonly FactRow[]>): AsyncGenerator<string> {
  for await (const some of rows) {
    if (some.length > 0) yield `${some.map((row) => JSON.stringify(row)).join('\n')}\n`;
  }
}
