import type { DeclaredFact } from '#fields/catalogue/facts.ts';
import { FactHistory } from '#fields/values/fact-history.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { readArrow } from '#platform/clickhouse/clickhouse-arrow.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { asClickHouseTime } from '../import/staging/stored-names.ts';
import { namedToday } from '../in-memory/named-today.ts';
import { dropPartitions } from './removals.ts';

export interface StoredFact extends DeclaredFact {
  /** Names its values; another one after every change of them. */
  edition: string;
  rows: number;
  tickers: number;
  /** First and last day since which a value was known. */
  known_from: string;
  known_until: string;
  /** ISO time. */
  imported_at: string;
  imported_by: string;
}

/** All fields as they are since a change. Version 0 is before the first one. */
export interface FactVersion {
  version: number;
  facts: readonly StoredFact[];
}

/** What the rows of an edition amount to. */
export interface FactSize extends Pick<StoredFact, 'rows' | 'tickers' | 'known_from' | 'known_until'> {
  field: string;
  /** Different values. */
  values: number;
}

export function editionOf(field: string, version: number): string {
  return `${field}.${version}`;
}

/** The tables `market.fact` and `market.fact_catalogue`. */
export class FactStore {
  readonly #client: ClickHouseClient;

  constructor(client: ClickHouseClient) {
    this.#client = client;
  }

  async newest(): Promise<FactVersion> {
    const [row] = await clickhouseRows<{ version: number; fields: string }>(
      this.#client,
      `SELECT toUInt32(version) AS version, fields FROM market.fact_catalogue
       ORDER BY market.fact_catalogue.version DESC LIMIT 1`,
    );
    return { version: row?.version ?? 0, facts: row ? (JSON.parse(row.fields) as StoredFact[]) : [] };
  }

  /** Makes a version the newest. Its values must be stored already. */
  async publish({ version, facts }: FactVersion, now: Date): Promise<void> {
    await this.#client.insert({
      table: 'market.fact_catalogue',
      values: [{ version, made_at: asClickHouseTime(now), fields: JSON.stringify(facts) }],
      format: 'JSONEachRow',
    });
  }

  sizesOf(editions: readonly string[]): Promise<FactSize[]> {
    return clickhouseRows<FactSize>(
      this.#client,
      `SELECT toString(field) AS field, toUInt32(count()) AS rows, toUInt32(uniqExact(ticker)) AS tickers,
         toString(min(known_since)) AS known_from, toString(max(known_since)) AS known_until,
         toUInt32(uniqExact(value)) AS values
       FROM market.fact WHERE edition IN {editions:Array(String)} GROUP BY field`,
      { editions },
    );
  }

  /**
   * Removes the values that this version does not name: those of earlier versions, which other copies of the service may have read
   * until now, and those of an import that failed.
   */
  async dropUnused({ facts }: FactVersion): Promise<void> {
    const editions = facts.map(({ edition }) => edition);
    await dropPartitions(this.#client, 'fact', 'NOT has({editions:Array(String)}, partition)', { editions });
  }
}

/** Ascending by day, as a history takes values. */
const FACT_SQL = `SELECT ticker, toString(known_since) AS known_since, value FROM market.fact
WHERE edition = {edition:String} ORDER BY known_since, ticker`;

/**
 * The values of a fact for the stocks of a panel. Others are left out.
 * @throws Error unless all of its rows are stored
 */
export async function readFactHistory(
  client: ClickHouseClient,
  { name, type, edition, rows }: StoredFact,
  panel: Panel,
): Promise<FactHistory> {
  const history = new FactHistory(type, panel);
  let read = 0;
  for await (const batch of readArrow(client, FACT_SQL, { edition })) {
    const [tickers, days, values] = ['ticker', 'known_since', 'value'].map((column) =>
      batch.getChild(column)!,
    );
    for (let row = 0; row < batch.numRows; row++) {
      const knownSince = days!.get(row) as string;
      const stock = panel.tickerIndex(namedToday(panel, tickers!.get(row) as string, knownSince));
      if (stock >= 0) history.add(stock, knownSince, (values!.get(row) as string) || null);
    }
    read += batch.numRows;
  }
  if (read !== rows) throw new Error(`the fact ${name} has ${read} values in ${edition}, not ${rows}`);
  return history;
}
