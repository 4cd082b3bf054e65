import type pg from 'pg';
import { lastingPool } from '#platform/postgres/open-postgres.ts';
import type { StoreUrls } from '#local/state/fleet-file.ts';
import { connectClickHouse, type ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { hostsOf } from '#platform/configuration/config.ts';

const DEADLINE_MS = 5_000;

/** Reads the stores directly, so that it works even when a service does not answer. */
export interface StoreReader {
  postgres<Row extends object>(query: string, params?: unknown[]): Promise<Row[]>;
  market<Row>(query: string, params?: Record<string, unknown>): Promise<Row[]>;
  usage<Row>(query: string, params?: Record<string, unknown>): Promise<Row[]>;
  /** The servers of a ClickHouse cluster that do not answer. Empty for a single server. */
  silentServers(): Promise<SilentServer[]>;
}

interface SilentServer {
  cluster: string;
  /** Host and port. */
  host: string;
  failure: Error;
  /** Whether other servers have the same rows. */
  isReplicated: boolean;
}

/** Connects to each store on first use, and disconnects when the work ends. */
export async function withStoreReader<T>(
  urls: StoreUrls,
  work: (stores: StoreReader) => Promise<T>,
): Promise<T> {
  const pool = lastingPool({
    connectionString: urls.postgres,
    connectionTimeoutMillis: DEADLINE_MS,
    query_timeout: DEADLINE_MS,
    max: 2,
    application_name: 'saring operator',
  });
  const market = connectClickHouse(urls.clickhouse.market, DEADLINE_MS);
  const usage = connectClickHouse(urls.clickhouse.usage, DEADLINE_MS);
  try {
    return await work({
      postgres: async <Row extends object>(query: string, params: unknown[] = []) =>
        (await pool.query<Row & pg.QueryResultRow>(query, params)).rows,
      market: (query, params) => clickhouseRows(market, query, params),
      usage: (query, params) => clickhouseRows(usage, query, params),
      silentServers: () => silentOf(market, hostsOf(urls.clickhouse.market.url)),
    });
  } finally {
    await pool.end().catch(() => {});
    await Promise.all([market.close(), usage.close()]);
  }
}

async function silentOf({ cluster }: ClickHouseClient, hosts: string[]): Promise<SilentServer[]> {
  if (!cluster) return [];
  const { name, isReplicated, nodes } = cluster;
  const requested = await Promise.allSettled(nodes.map((node) => clickhouseRows(node, 'SELECT 1')));
  return requested.flatMap((response, index) => {
    if (response.status === 'fulfilled') return [];
    return [{ cluster: name, host: hosts[index]!, failure: response.reason as Error, isReplicated }];
  });
}
