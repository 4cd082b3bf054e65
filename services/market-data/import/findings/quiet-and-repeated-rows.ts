import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { QUIET_DAY, REPEATED_DAY } from '../rules/row-rules.ts';
import type { Staging } from '../staging/staging.ts';
import {
  judgeDays,
  MIN_USUAL_TICKERS,
  QUIET_SHARE,
  QUIET_SPARED_DAYS,
  QUIET_WINDOW_DAYS,
  type DayCounts,
} from './thin-days.ts';
import { goodRowsSql } from '../merging/version-rows.ts';

/**
 * Stores references to rows that are refused because of other rows: first those of quiet days, then repeated ones.
 * Returns the quiet days. They are determined from staged rows and base together, and rows of the base on these days
 * are dropped too.
 */
export async function refuseQuietAndRepeated(
  client: ClickHouseClient,
  staging: Staging,
  base: Dataset | undefined,
): Promise<string[]> {
  const { rows, refused } = staging;
  const isNotRefused = `(file, line) NOT IN (SELECT file, line FROM ${refused})`;
  const quietDays = await findQuietDays(client, staging, base);
  await client.command({
    query: `INSERT INTO ${refused} SELECT file, line, '${QUIET_DAY}' FROM ${rows}
            WHERE reason = '' AND has({quietDays:Array(Date)}, toDate(date)) AND ${isNotRefused}`,
    query_params: { quietDays },
  });
  // A cheap count finds the days with a repeated ticker first. Usually there are none.
  const isGood = `reason = '' AND NOT has({quietDays:Array(Date)}, toDate(date)) AND ${isNotRefused}`;
  await client.command({
    query: `INSERT INTO ${refused}
            SELECT file, line, '${REPEATED_DAY}'
            FROM (SELECT file, line, row_number() OVER (PARTITION BY ticker, date ORDER BY file, line) AS nth
                  FROM ${rows}
                  WHERE ${isGood} AND date IN (
                    SELECT date FROM ${rows} WHERE ${isGood} GROUP BY date HAVING count() > uniqExact(ticker)))
            WHERE nth > 1`,
    query_params: { quietDays },
  });
  return quietDays;
}

/** No day of a partial tail is quiet, whatever the numbers around it: its other rows may come. Nor is one that an operator accepted. */
async function findQuietDays(
  client: ClickHouseClient,
  staging: Staging,
  base: Dataset | undefined,
): Promise<string[]> {
  const goodRows = goodRowsSql(staging, base?.version ?? '');
  const around = `ROWS BETWEEN ${QUIET_WINDOW_DAYS} PRECEDING AND ${QUIET_WINDOW_DAYS} FOLLOWING`;
  const query = `SELECT toString(date) AS day, stocks, traded,
      usual >= ${MIN_USUAL_TICKERS} AND traded < usual * ${QUIET_SHARE}
        AND days_to_end > ${QUIET_SPARED_DAYS} AS is_quiet
    FROM (SELECT date, stocks, traded, quantileExactLow(0.5)(traded) OVER (ORDER BY date ${around}) AS usual,
            row_number() OVER (ORDER BY date DESC) AS days_to_end
          FROM (SELECT date, toUInt32(count()) AS stocks, toUInt32(countIf(volume > 0)) AS traded
                FROM (${goodRows}) GROUP BY date))
    ORDER BY day`;
  const days = await clickhouseRows<DayCounts & { is_quiet: number }>(client, query, {
    base: base?.version ?? '',
  });
  const accepted = base?.accepted_days ?? [];
  const { wholeUntil } = judgeDays(days, accepted);
  return days
    .filter(({ day, is_quiet }) => is_quiet === 1 && day < wholeUntil && !accepted.includes(day))
    .map(({ day }) => day);
}
