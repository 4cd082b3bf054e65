import { Readable } from 'node:stream';
import { CLICKHOUSE_SCHEMAS, type ClickhouseSchema } from '#clickhouse/schemas.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { StreamedAnswer } from '#platform/clickhouse/streamed-answer.ts';

/** A connection to each database, as a user that may read and write all of it. */
export type Databases = Record<ClickhouseSchema['database'], ClickHouseClient>;

export interface ClickhouseTable {
  database: ClickhouseSchema['database'];
  table: string;
  /** All columns except those that ClickHouse computes. */
  columns: string[];
}

/** Selects rows of a table: a condition and its parameters. */
export interface Selection {
  where: string;
  params: Record<string, unknown>;
}

/**
 * Every table whose rows cannot be rebuilt, without the tables of running imports. In a cluster these are the tables that span
 * the shards: each row is read once and written to the right shard, so a backup does not depend on the number of shards.
 */
export async function clickhouseTables(databases: Databases): Promise<ClickhouseTable[]> {
  const found: ClickhouseTable[] = [];
  for (const { database, transientPrefix } of CLICKHOUSE_SCHEMAS) {
    const engine = databases[database].cluster ? 'Distributed' : '%MergeTree';
    const names = await clickhouseRows<{ name: string }>(
      databases[database],
      `SELECT name FROM system.tables
       WHERE database = {database:String} AND engine LIKE {engine:String} AND name != 'schema_migration' ORDER BY name`,
      { database, engine },
    );
    for (const { name } of names) {
      if (transientPrefix !== undefined && name.startsWith(transientPrefix)) continue;
      found.push({ database, table: name, columns: await columnsOf(databases, database, name) });
    }
  }
  return found;
}

async function columnsOf(
  databases: Databases,
  database: ClickhouseTable['database'],
  table: string,
): Promise<string[]> {
  const columns = await clickhouseRows<{ name: string; default_type: string }>(
    databases[database],
    `DESCRIBE TABLE ${database}.${table}`,
  );
  return columns
    .filter(({ default_type }) => !['ALIAS', 'MATERIALIZED'].includes(default_type))
    .map(({ name }) => name);
}

export interface MarketMark {
  /** Published versions, sorted. */
  versions: string[];
  /** Time of the last row of `market.served`, in milliseconds since 1970; 0 without rows. */
  servedAtMs: number;
  servedVersion: string | null;
  /** The newest row of `market.fact_catalogue`; 0 without rows. */
  factsVersion: number;
  /** The values of facts that it names, sorted. */
  factEditions: string[];
  /** Number of rows of `market.model_result`, and the time of the newest in milliseconds since 1970; 0 without rows. */
  modelResults: number;
  modelResultAtMs: number;
}

/**
 * The published versions, the served one, the imported facts and the daily results of models. A version never changes, so two equal
 * marks mean that nothing was published, served or stored between them.
 */
export async function marketMark({ market }: Databases): Promise<MarketMark> {
  const [facts] = await clickhouseRows<{ newest: string; editions: string[] }>(
    market,
    `SELECT toString(max(version)) AS newest,
       arraySort(arrayMap(fact -> JSONExtractString(fact, 'edition'), JSONExtractArrayRaw(argMax(fields, version)))) AS editions
     FROM market.fact_catalogue`,
  );
  const [results] = await clickhouseRows<{ rows: string; newest: string }>(
    market,
    `SELECT toString(count()) AS rows, toString(max(toUnixTimestamp64Milli(stored_at))) AS newest FROM market.model_result`,
  );
  const [mark] = await clickhouseRows<{ versions: string[]; served_at_ms: string; served: string }>(
    market,
    `SELECT (SELECT arraySort(groupArray(version)) FROM market.dataset) AS versions,
       toString(max(toUnixTimestamp64Milli(served_at))) AS served_at_ms, argMax(version, served_at) AS served
     FROM market.served`,
  );
  return {
    versions: mark!.versions,
    servedAtMs: Number(mark!.served_at_ms),
    servedVersion: mark!.served || null,
    factsVersion: Number(facts!.newest),
    factEditions: facts!.editions,
    modelResults: Number(results!.rows),
    modelResultAtMs: Number(results!.newest),
  };
}

/** Selects the rows of the market that belong to a mark. */
export function marketSelection({ table, columns }: ClickhouseTable, mark: MarketMark): Selection {
  const { versions, servedAtMs, factsVersion, factEditions: editions, modelResultAtMs: storedAtMs } = mark;
  const ofVersions = (where: string) => ({ where, params: { versions } });
  const ofTables: Record<string, Selection> = {
    dataset: ofVersions('version IN {versions:Array(String)}'),
    served: {
      where: 'toUnixTimestamp64Milli(served_at) <= {servedAtMs:Int64}',
      params: { servedAtMs },
    },
    fact_catalogue: { where: 'version <= {factsVersion:UInt64}', params: { factsVersion } },
    fact: { where: 'edition IN {editions:Array(String)}', params: { editions } },
    // Results stay when the version is pruned that their run read.
    model_result: {
      where: 'toUnixTimestamp64Milli(stored_at) <= {storedAtMs:Int64}',
      params: { storedAtMs },
    },
  };
  if (ofTables[table]) return ofTables[table];
  if (columns.includes('dataset_version')) return ofVersions('dataset_version IN {versions:Array(String)}');
  if (columns.includes('segment'))
    return ofVersions(
      `segment IN (SELECT arrayJoin(broker_segments) FROM market.dataset WHERE version IN {versions:Array(String)})`,
    );
  return { where: '1', params: {} };
}

/** The selected rows as tab-separated lines. */
export async function selectLines(
  databases: Databases,
  { database, table, columns }: ClickhouseTable,
  { where, params }: Selection,
): Promise<Readable> {
  const lines = await StreamedAnswer.to(databases[database], {
    query: `SELECT ${columns.map(quoted).join(', ')} FROM ${database}.${table}${replacing(table)} WHERE ${where}
            FORMAT TabSeparated`,
    query_params: params,
  });
  return Readable.from(lines, { objectMode: false });
}

export async function countSelected(
  databases: Databases,
  { database, table }: Omit<ClickhouseTable, 'columns'>,
  { where, params }: Selection = { where: '1', params: {} },
): Promise<number> {
  const query = `SELECT toString(count()) AS n FROM ${database}.${table}${replacing(table)} WHERE ${where}`;
  const [counted] = await clickhouseRows<{ n: string }>(databases[database], query, params);
  return Number(counted!.n);
}

export async function insertLines(
  databases: Databases,
  { database, table, columns }: ClickhouseTable,
  lines: Readable,
): Promise<void> {
  await databases[database].insert({
    table: `${database}.${table}`,
    columns: columns as [string, ...string[]],
    values: lines,
    format: 'TabSeparated',
    clickhouse_settings: {
      async_insert: 0,
      // Each version or month is its own partition, and a backup contains any number of them.
      max_partitions_per_insert_block: '0',
      // Two equal blocks are rows that occur twice, not a repeated insert: both must be stored.
      insert_deduplicate: 0,
    },
  });
}

/** The migrations that have run, by database. */
export async function clickhouseMigrations(databases: Databases): Promise<Record<string, string[]>> {
  const migrations: Record<string, string[]> = {};
  for (const { database } of CLICKHOUSE_SCHEMAS) {
    const query = `SELECT DISTINCT name FROM ${database}.schema_migration ORDER BY name`;
    migrations[database] = (await clickhouseRows<{ name: string }>(databases[database], query)).map(
      ({ name }) => name,
    );
  }
  return migrations;
}

/** Adds FINAL for a table whose rows are replaced, to read only the newest of each. */
function replacing(table: string): string {
  return table === 'event' || table === 'pruned_version' ? ' FINAL' : '';
}

function quoted(name: string): string {
  return `\`${name}\``;
}
