import type { RejectedRow, RejectionSummary } from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';

/** Refused rows stored per upload, for bars and for broker rows. All refused rows are counted. */
const MAX_STORED = 100_000;
/** A refused line can have any size; its start is enough to find the mistake. */
const MAX_TEXT_LENGTH = 500;
/** Refused rows that the report of an upload shows if they are not stored. */
const MAX_SHOWN = 50;

/** The sources of refused rows among the staged ones. */
interface RefusedRows {
  rows: string;
  /**
   * SQL of file, line, reason and text of rows refused on their own, without looking at other rows. There may be many.
   */
  refusedAtOnce: string;
  /** Table of file, line and reason of rows refused because of other rows. */
  refused: string;
}

/** SQL of file, line and reason of every refused row. */
export function refusedRowsSql({ refusedAtOnce, refused }: Omit<RefusedRows, 'rows'>): string {
  return `SELECT file, line, reason FROM (${refusedAtOnce})
    UNION ALL SELECT file, line, toString(reason) AS reason FROM ${refused}`;
}

/** SQL of the refused rows in the form of `market.rejected_row`, without the version. */
export function rejectedRowsSql({ rows, refusedAtOnce, refused }: RefusedRows): string {
  return `SELECT file, line, reason, toValidUTF8(substringUTF8(text, 1, ${MAX_TEXT_LENGTH})) AS text FROM (
    ${refusedAtOnce}
    UNION ALL
    SELECT file, line, toString(why.reason) AS reason, text
    FROM ${rows} AS row INNER JOIN ${refused} AS why USING (file, line)
    WHERE (file, line) IN (SELECT file, line FROM ${refused})
  ) ORDER BY file, line LIMIT ${MAX_STORED}`;
}

/** SQL that aggregates rows with file, line and reason in the form of `market.rejection`, without the version. */
export function rejectionsSql(rows: string): string {
  return `SELECT reason, count() AS rows, min((file, line)).1 AS first_file, min((file, line)).2 AS first_line
    FROM (${rows}) GROUP BY reason`;
}

/** Refused staged rows by reason, most frequent first. */
export async function summarizeRefused(
  client: ClickHouseClient,
  staged: Omit<RefusedRows, 'rows'>,
): Promise<RejectionSummary[]> {
  const query = `SELECT reason, toUInt32(rows) AS rows, concat(first_file, ':', toString(first_line)) AS first_at
    FROM (${rejectionsSql(refusedRowsSql(staged))}) ORDER BY rows DESC, reason`;
  return clickhouseRows<RejectionSummary>(client, query);
}

/** The first refused staged rows, in file order. */
export async function listRefused(client: ClickHouseClient, staged: RefusedRows): Promise<RejectedRow[]> {
  const query = `SELECT * FROM (${rejectedRowsSql(staged)}) ORDER BY file, line LIMIT ${MAX_SHOWN}`;
  return clickhouseRows<RejectedRow>(client, query);
}

export async function countRejectedRows(client: ClickHouseClient, version: string): Promise<number> {
  const query = `SELECT toUInt32(sum(rejection.rows)) AS rows FROM market.rejection WHERE dataset_version = {version:String}`;
  const [row] = await clickhouseRows<{ rows: number }>(client, query, { version });
  return row!.rows;
}
