import type { FleetFile } from './fleet.ts';

/** Queries ClickHouse as an analyst does: plain SQL over HTTP with the read-only user. */
export async function asAnalyst({ clickhouse }: Pick<FleetFile, 'clickhouse'>, sql: string): Promise<string> {
  const { url, analyst_user, analyst_password } = clickhouse;
  const response = await fetch(url, {
    method: 'POST',
    body: sql,
    headers: {
      authorization: `Basic ${Buffer.from(`${analyst_user}:${analyst_password}`).toString('base64')}`,
    },
    signal: AbortSignal.timeout(10_000),
  });
  const text = (await response.text()).trim();
  if (!response.ok) throw new Error(text);
  return text;
}

/** Rows of a query, counts as numbers. */
export async function analystRows<Row>(file: Pick<FleetFile, 'clickhouse'>, sql: string): Promise<Row[]> {
  const settings = 'FORMAT JSONEachRow SETTINGS output_format_json_quote_64bit_integers = 0';
  const text = await asAnalyst(file, `${sql} ${settings}`);
  return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as Row);
}
