import type { RejectionSummary } from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseClient } from '#shared/clickhouse/clickhouse.ts';

/** Of the bars of an upload, and of its broker rows, the first so many refused rows are stored; all are counted. */
const MAX_STORED = 100_000;
/** The whole of a refused line can be any size; the start of it is enough to find the mistake. */
const MAX_TEXT_LENGTH = 500;

/** Where the refused ones among staged rows are found. */
interface RefusedRows {
  /** Table of all staged rows. */
  rows: string;
  /** SQL of file, line, reason and text of the rows that need nothing but themselves to be refused: any number. */
  refusedAtOnce: string;
  /** Table of file, line and reason of those that were refused for what other rows say. */
  refused: string;
}

/** SQL of file, line and reason of every refused row. */
export function refusedRowsSql({ refusedAtOnce, refused }: Omit<RefusedRows, 'rows'>): string {
  return `SELECT file, line, reason FROM (${refusedAtOnce})
    UNION ALL SELECT file, line, toString(reason) AS reason FROM ${refused}`;
}

/** SQL of what `market.rejected_row` holds, besides the version, of staged rows that are refused. */
export function rejectedRowsSql({ rows, refusedAtOnce, refused }: RefusedRows): string {
  return `SELECT file, line, reason, toValidUTF8(substringUTF8(text, 1, ${MAX_TEXT_LENGTH})) AS text FROM (
    ${refusedAtOnce}
    UNION ALL
    SELECT file, line, toString(why.reason) AS reason, text
    FROM ${rows} AS row INNER JOIN ${refused} AS why USING (file, line)
    WHERE (file, line) IN (SELECT file, line FROM ${refused})
  ) ORDER BY file, line LIMIT ${MAX_STORED}`;
}

/** SQL of what `market.rejection` holds, besides the version, of rows with file, line and reason. */
export function rejectionsSql(rows: string): string {
  return `SELECT reason, count() AS rows, min((file, line)).1 AS first_file, min((file, line)).2 AS first_line
    FROM (${rows}) GROUP BY reason`;
}

/** Staged rows that are refused by reason, most frequent first. */
export async function summarizeRefused(
  client: ClickHouseClient,
  staged: Omit<RefusedRows, 'rows'>,
): Promise<RejectionSummary[]> {
  const answer = await client.query({
    query: `SELECT reason, toUInt32(rows) AS rows, concat(first_file, ':', toString(first_line)) AS first_at
            FROM (${rejectionsSql(refusedRowsSql(staged))}) ORDER BY rows DESC, reason`,
    format: 'JSONEachRow',
  });
  return answer.json<RejectionSummary>();
}

export async function countRejectedRows(client: ClickHouseClient, version: string): Promise<number> {
  const answer = await client.query({
    query: `SELECT toUInt32(sum(rejection.rows)) AS rows FROM market.rejection WHERE dataset_version = {version:String}`,
    query_params: { version },
    format: 'JSONEachRow',
  });
  return (await answer.json<{ rows: number }>())[0]!.rows;
}
