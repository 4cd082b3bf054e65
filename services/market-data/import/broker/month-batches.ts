import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import type { BrokerStaging } from '../staging/broker-staging.ts';

export interface MonthBatch {
  /** As in 2024-06, ascending. Months in between have no staged rows. */
  months: string[];
  /** Whether some staged rows have only the difference of a broker's sides. */
  hasNet: boolean;
}

interface StagedMonth {
  month: string;
  /** Number of staged rows and rows of the base. */
  rows: number;
  /** 0 or 1. */
  hasNet: number;
}

/** More rows than a busy month of the whole market has. A batch takes about 60 bytes of memory per row. */
const MAX_BATCH_ROWS = 1_000_000;

/** Batches of the months between two days that have staged rows. */
export async function monthBatches(
  client: ClickHouseClient,
  { rows }: BrokerStaging,
  between: { firstDay: string; lastDay: string; baseSegments: string[] },
): Promise<MonthBatch[]> {
  const query = `SELECT formatDateTime(month, '%Y-%m') AS month, toUInt32(staged + in_base) AS rows, hasNet
    FROM (SELECT month, count() AS staged, max(is_net) AS hasNet FROM ${rows}
          WHERE reason = '' AND date BETWEEN {firstDay:Date} AND {lastDay:Date} GROUP BY month) AS new
    LEFT JOIN (SELECT toStartOfMonth(min(date)) AS month, count() AS in_base FROM market.broker_flow
               WHERE segment IN {baseSegments:Array(String)} GROUP BY segment) AS old USING (month)
    ORDER BY month`;
  const found = await clickhouseRows<StagedMonth>(client, query, between);
  return inBatches(found, MAX_BATCH_ROWS);
}

/** Groups months into batches of at most `maxRows` rows, or of a single month. */
export function inBatches(months: StagedMonth[], maxRows: number): MonthBatch[] {
  const batches: (MonthBatch & { rows: number })[] = [];
  for (const { month, rows, hasNet } of months) {
    const last = batches.at(-1);
    if (last && last.rows + rows <= maxRows) {
      last.months.push(month);
      last.rows += rows;
      last.hasNet ||= hasNet === 1;
    } else batches.push({ months: [month], hasNet: hasNet === 1, rows });
  }
  return batches.map(({ months, hasNet }) => ({ months, hasNet }));
}
