import type { ClickHouseClient } from '#shared/clickhouse.ts';

/** The whole of a refused line can be any size; the start of it is enough to find the mistake. */
const MAX_TEXT_LENGTH = 500;

/** SQL of what `market.rejected_row` tells, besides the version, of staged rows that are refused. */
export function rejectedRowsSql({ rows, refused }: { rows: string; refused: string }): string {
  return `SELECT file, line, why.reason, toValidUTF8(substringUTF8(text, 1, ${MAX_TEXT_LENGTH}))
    FROM ${rows} AS row INNER JOIN ${refused} AS why USING (file, line)
    WHERE (file, line) IN (SELECT file, line FROM ${refused})`;
}

export async function countRejectedRows(client: ClickHouseClient, version: string): Promise<number> {
  const answer = await client.query({
    query: `SELECT toUInt32(count()) AS rows FROM market.rejected_row WHERE dataset_version = {version:String}`,
    query_params: { version },
    format: 'JSONEachRow',
  });
  return (await answer.json<{ rows: number }>())[0]!.rows;
}
