import type { ClickHouseClient } from '#shared/clickhouse.ts';
import type { BrokerStaging } from './broker-staging.ts';

/** Consecutive months that are worked on in one go. */
export interface MonthBatch {
  /** As in 202406, ascending; those in between have no rows. */
  months: number[];
  /** Whether there are rows that have only the difference of a broker's sides. */
  hasNet: boolean;
}

/** More rows than a busy month of the whole market has; what is held in memory of a batch is some 60 bytes a row. */
const MAX_BATCH_ROWS = 1_000_000;

/** The months of staged rows that lie between the days, in batches of at most so many rows, or of one month. */
export async function monthBatches(
  client: ClickHouseClient,
  { rows }: BrokerStaging,
  days: { firstDay: string; lastDay: string },
): Promise<MonthBatch[]> {
  const answer = await client.query({
    query: `SELECT month, toUInt32(count()) AS rows, max(is_net) AS hasNet FROM ${rows}
            WHERE reason = '' AND date BETWEEN {firstDay:Date} AND {lastDay:Date}
            GROUP BY month ORDER BY month`,
    query_params: days,
    format: 'JSONEachRow',
  });
  const batches: (MonthBatch & { rows: number })[] = [];
  for (const found of await answer.json<{ month: number; rows: number; hasNet: number }>()) {
    const last = batches.at(-1);
    if (!last || last.rows + found.rows > MAX_BATCH_ROWS) {
      batches.push({ months: [found.month], hasNet: found.hasNet === 1, rows: found.rows });
      continue;
    }
    last.months.push(found.month);
    last.rows += found.rows;
    last.hasNet ||= found.hasNet === 1;
  }
  return batches;
}
