import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseClient } from '#shared/clickhouse/clickhouse.ts';
import { QUIET_DAY, REPEATED_DAY } from './row-rules.ts';
import type { Staging } from './staging.ts';
import { goodRowsSql } from './version-rows.ts';

/**
 * A day is a test of the exchange's systems, not a trading day, when fewer than this share of the tickers that
 * trade on the days around it traded. Over five real years no trading day fell below 0.95, and the one system test
 * in them stood at 0.18.
 */
const QUIET_SHARE = 0.4;
/** Days before and after that make up the median. */
const QUIET_WINDOW_DAYS = 10;
/** With fewer tickers a quiet day is ordinary. */
const QUIET_MIN_TICKERS = 20;
/** The newest days are left alone: the last one may just not be complete yet, and has nothing after it. */
const QUIET_SPARED_DAYS = 3;

/**
 * Notes the rows that are refused for what other rows say: those of quiet days, then repeated ones. Gives the quiet
 * days: staged rows and base together show them, and rows of the base do not stay either.
 */
export async function refuseRows(
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
  // Repeated days are found by a cheap count first: as a rule there are none.
  const isGood = `reason = '' AND NOT has({quietDays:Array(Date)}, toDate(date))`;
  await client.command({
    query: `INSERT INTO ${refused}
            SELECT file, line, '${REPEATED_DAY}'
            FROM (SELECT file, line, row_number() OVER (PARTITION BY ticker, date ORDER BY file, line) AS nth
                  FROM ${rows}
                  WHERE ${isGood} AND (ticker, date) IN (
                    SELECT ticker, date FROM ${rows} WHERE ${isGood} GROUP BY ticker, date HAVING count() > 1))
            WHERE nth > 1`,
    query_params: { quietDays },
  });
  return quietDays;
}

async function findQuietDays(client: ClickHouseClient, staging: Staging, base: string): Promise<string[]> {
  const goodRows = goodRowsSql(staging, base);
  const around = `ROWS BETWEEN ${QUIET_WINDOW_DAYS} PRECEDING AND ${QUIET_WINDOW_DAYS} FOLLOWING`;
  const answer = await client.query({
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
  return (await answer.json<{ day: string }>()).map(({ day }) => day);
}
