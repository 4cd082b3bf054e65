import { ClickHouseLogLevel, createClient, type ClickHouseClient, ClickHouseError } from '@clickhouse/client';
import { SchemaAheadError } from '../schema-ahead.ts';

export type { ClickHouseClient };

/** Numbered statements that leave what is already there alone, so that several processes can apply them at once. */
export interface ClickHouseMigration {
  /** As in `001_event`. */
  name: string;
  statements: string[];
}

/**
 * Of every table whose rows are acknowledged: the answer to an insert means that its rows survive a power cut. A merge or
 * a mutation removes parts that were synced, so its result is synced as well, however small. Tables that only an import
 * under way reads go without.
 */
const SYNCED = [
  'fsync_after_insert = 1',
  'fsync_part_directory = 1',
  'min_rows_to_fsync_after_merge = 1',
  'min_compressed_bytes_to_fsync_after_merge = 1',
].join(', ');

/** Statements that make tables survive a power cut. */
export function syncedTables(tables: string[]): string[] {
  return tables.map((table) => `ALTER TABLE ${table} MODIFY SETTING ${SYNCED}`);
}

/**
 * Requests of one client that are under way at a time; others wait, and their deadlines run. With the ten that are usual,
 * readers of a server that takes 300 ms to answer wait for each other longer than for the server.
 */
const MAX_CONNECTIONS = 32;

/** A client whose every request has a deadline. */
export function connectClickHouse(url: string, timeoutMs = 10_000): ClickHouseClient {
  return createClient({
    url,
    request_timeout: timeoutMs,
    max_open_connections: MAX_CONNECTIONS,
    application: 'saring',
    // Failures are thrown; a second, unstructured account of them would only spoil the log.
    log: { level: ClickHouseLogLevel.OFF },
    keep_alive: { idle_socket_ttl: 2_000 },
  });
}

/**
 * Makes the database and applies what migrations it has not seen; safe to repeat, and to run in many processes.
 * @throws SchemaAheadError where a newer version has migrated it already
 */
export async function migrateClickHouse(
  client: ClickHouseClient,
  database: string,
  migrations: ClickHouseMigration[],
): Promise<void> {
  await client.command({ query: `CREATE DATABASE IF NOT EXISTS ${database}` });
  const record = `${database}.schema_migration`;
  await client.command({
    query: `CREATE TABLE IF NOT EXISTS ${record} (name String, applied_at DateTime DEFAULT now())
            ENGINE = ReplacingMergeTree ORDER BY name SETTINGS ${SYNCED}`,
  });
  const answer = await client.query({ query: `SELECT name FROM ${record}`, format: 'JSONEachRow' });
  const applied = new Set((await answer.json<{ name: string }>()).map((row) => row.name));
  // The numbers of migrations that were dropped from the list since are below.
  const newest = migrations.at(-1)?.name ?? '';
  const unknown = [...applied].filter((name) => name > newest).toSorted();
  if (unknown.length > 0) throw new SchemaAheadError(`database ${database}`, unknown);
  for (const { name, statements } of migrations.filter((migration) => !applied.has(migration.name))) {
    for (const query of statements) {
      await client.command({ query }).catch((error: unknown) => {
        throw new Error(`migration ${name} of ${database} failed: ${(error as Error).message}`, {
          cause: error,
        });
      });
    }
    await client.insert({ table: record, values: [{ name }], format: 'JSONEachRow' });
  }
}

/** Answers of a server that is there but cannot serve: not set up yet, starting, overloaded, stopping. */
const UNREADY = new Set([
  'UNKNOWN_DATABASE',
  'UNKNOWN_TABLE',
  'MEMORY_LIMIT_EXCEEDED',
  'TOO_MANY_SIMULTANEOUS_QUERIES',
  'TIMEOUT_EXCEEDED',
  'QUERY_WAS_CANCELLED',
  'ABORTED',
]);

/** Whether ClickHouse did not answer, so that trying again later makes sense. */
export function isClickHouseAway(error: unknown): boolean {
  if (error instanceof ClickHouseError) return UNREADY.has(error.type ?? '');
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return (
    /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)/.test(code ?? '') ||
    error.message === 'Timeout error.'
  );
}
