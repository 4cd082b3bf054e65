import pg from 'pg';
import type { ClickHouseNode } from '#shared/clickhouse/clickhouse.ts';

/** Runs one statement in PostgreSQL on its own connection and returns the rows. */
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

/** Runs a query in ClickHouse and returns the rows. Parameters are given by name. */
export async function clickhouseRows<Row>(
  client: ClickHouseNode,
  query: string,
  query_params: Record<string, unknown> = {},
): Promise<Row[]> {
  return (await client.query({ query, query_params, format: 'JSONEachRow' })).json<Row>();
}
