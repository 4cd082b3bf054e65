import type { ClickHouseNode } from './clickhouse.ts';

/** Runs a query and returns its rows. Parameters are given by name. */
export async function clickhouseRows<Row>(
  client: ClickHouseNode,
  query: string,
  query_params: Record<string, unknown> = {},
): Promise<Row[]> {
  return (await client.query({ query, query_params, format: 'JSONEachRow' })).json<Row>();
}
