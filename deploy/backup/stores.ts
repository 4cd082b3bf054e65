import pg from 'pg';
import type { StoreUrls } from '#local/state/fleet-file.ts';
import { connectClickHouse } from '#platform/clickhouse/clickhouse.ts';
import { rowsOfEveryNode } from '#platform/clickhouse/cluster.ts';
import { BackupError } from './backup-error.ts';
import type { Databases } from './clickhouse-tables.ts';

export interface Stores {
  postgres: pg.Client;
  databases: Databases;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** Longest time without a byte. Reading a large table may take longer in total. */
const SILENCE_MS = 120_000;

/** Connects to both stores during the work. */
export async function withStores<T>(urls: StoreUrls, work: (stores: Stores) => Promise<T>): Promise<T> {
  const postgres = new pg.Client({
    connectionString: urls.postgres,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'saring backup',
  });
  // When a connection breaks, the running statement fails and reports it.
  postgres.on('error', () => {});
  const databases: Databases = {
    market: connectClickHouse(urls.clickhouse.market, SILENCE_MS),
    usage: connectClickHouse(urls.clickhouse.usage, SILENCE_MS),
  };
  try {
    await postgres.connect().catch((error: Error) => {
      throw new BackupError(`PostgreSQL does not answer: ${error.message}`, { cause: error });
    });
    // Checks every server of a cluster: without one shard a backup or a restore would be incomplete.
    await rowsOfEveryNode(databases.market, { query: 'SELECT 1' }).catch((error: Error) => {
      throw new BackupError(`A ClickHouse server does not answer: ${error.message}`, { cause: error });
    });
    return await work({ postgres, databases });
  } finally {
    await postgres.end().catch(() => {});
    await Promise.all(Object.values(databases).map((client) => client.close()));
  }
}
