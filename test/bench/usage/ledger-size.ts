import type { ClickHouseClient } from '#shared/clickhouse/clickhouse.ts';
import type { Figure } from '../report.ts';
import { LEDGER_EVENTS } from './ledger-fill.ts';

interface Size {
  version: string;
  rows: number;
  parts: number;
  bytes: number;
}

/** What the reads are measured on. */
export async function ledgerFigure(sql: ClickHouseClient, filledInMs: number): Promise<Figure> {
  const answer = await sql.query({
    query: `SELECT version() AS version, sum(rows) AS rows, count() AS parts, sum(bytes_on_disk) AS bytes
      FROM system.parts WHERE active AND database = 'usage' AND table = 'event'`,
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  const [size] = await answer.json<Size>();
  const { version, rows, parts, bytes } = size!;
  const [mebibytes, seconds] = [bytes / 2 ** 20, filledInMs / 1_000].map((value) => value.toFixed(0));
  return {
    what: `usage ledger of ${LEDGER_EVENTS.toLocaleString('en')} made-up events over 170 days, in ClickHouse ${version}`,
    measured: `${rows.toLocaleString('en')} rows in ${parts} parts, ${mebibytes} MiB, made in ${seconds} s`,
  };
}
