import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseClient } from '#shared/clickhouse/clickhouse.ts';
import { QUIET_DAY, REPEATED_DAY } from './row-rules.ts';
import type { Staging } from './staging.ts';
import { goodRowsSql } from './version-rows.ts';

/**
 * A day is a system test of the exchange, not a trading day, if the number of traded tickers is below this share of the
 * usual number around it. In five years of real data, no trading day fell below 0.95, and the only system test was at
 * 0.18.
 */
const QUIET_SHARE = 0.4;
/** Days before and after that enter the median. */
const QUIET_WINDOW_DAYS = 10;
/** With a smaller usual number of tickers, a quiet day is nothing unusual. */
const QUIET_MIN_TICKERS = 20;
/** The newest days are not judged: the last one may be incomplete, and no later days exist to compare it with. */
const QUIET_SPARED_DAYS = 3;

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
  const quietDays = await findQuietDays(client, staging, base?.version ?? '');
  await client.command({
    query: `INSERT INTO ${refused} SELECT file, line, '${QUIET_DAY}' FROM ${rows}
            WHERE reason = '' AND has({quietDays:Array(Date)}, toDate(date))`,
    query_params: { quietDays },
  });
  // A cheap count finds the days with a repeated ticker first. Usually there are none.
  const isGood = `reason = '' AND NOT has({quietDays:Array(Date)}, toDate(date))`;
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

async function findQuietDays(client: ClickHouseClient, staging: Staging, base: string): Promise<string[]> {
  const goodRows = goodRowsSql(staging, base);
  const around = `ROWS BETWEEN ${QUIET_WINDOW_DAYS} PRECEDING AND ${QUIET_WINDOW_DAYS} FOLLOWING`;
  const response = await client.query({
    query: `SELECT toString(date) AS day
            FROM (SELECT date, traded, quantileExactLow(0.5)(traded) OVER (ORDER BY date ${around}) AS usual,
                    row_number() OVER (ORDER BY date DESC) AS days_to_end
                  FROM (SELECT date, countIf(volume > 0) AS traded FROM (${goodRows}) GROUP BY date))
            WHERE usual >= ${QUIET_MIN_TICKERS} AND traded < usual * ${QUIET_SHARE}
              AND days_to_end > ${QUIET_SPARED_DAYS}
            ORDER BY day`,
    query_params: { base },
    format: 'JSONEachRow',
  });
  return (await response.json<{ day: string }>()).map(({ day }) => day);
}
