import pg from 'pg';
import type { ClickHouseNode } from '#shared/clickhouse/clickhouse.ts';

/** What one statement gives in PostgreSQL, on a connection of its own. */
export async function postgresRows<Row extends pg.QueryResultRow>(
  url: string,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(statement, values)).rows;
  } finally {
    await client.end();
  }
}

/** What a query gives in ClickHouse; parameters by name. */
export async function clickhouseRows<Row>(
  client: ClickHouseNode,
  query: string,
  query_params: Record<string, unknown> = {},
): Promise<Row[]> {
  return (await client.query({ query, query_params, format: 'JSONEachRow' })).json<Row>();
}
