import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseClient } from '#shared/clickhouse/clickhouse.ts';
import { QUIET_DAY, REPEATED_DAY } from './row-rules.ts';
import type { Staging } from './staging.ts';
import { goodRowsSql, keptRowsSql, type RowParams, mergedListingSql } from './version-rows.ts';
import { ServiceError } from '#shared/service-error.ts';
import { CLEANED_COLUMNS } from './bars-sql.ts';
import { rowParams, type DraftVersion } from './draft-version.ts';
import { refusedRowsSql } from './rejected-rows.ts';

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

/** What a version will state about its bars. */
export type KeptBars = Pick<Dataset, 'bars' | 'tickers' | 'trading_days' | 'first_date' | 'last_date'>;

/**
 * Counts the bars, stocks and days that a version will have, and the staged rows that it refuses.
 * @throws ServiceError import_rejected when bars are staged, but none of them may stay
 */
export async function countKept(
  client: ClickHouseClient,
  draft: Pick<DraftVersion, 'base' | 'staging' | 'contents' | 'quietDays'>,
): Promise<{ kept: KeptBars; refused: number }> {
  const { staging, contents } = draft;
  const params = rowParams(draft);
  const response = await client.query({
    query: `SELECT toUInt32(count()) AS bars, toUInt32(uniqExact(ticker)) AS tickers,
              toUInt32(uniqExact(date)) AS trading_days, toString(min(date)) AS first_date,
              toString(max(date)) AS last_date, toUInt32(countIf(file != '')) AS staged
            FROM (${keptRowsSql(staging, params.base)})`,
    query_params: params,
    format: 'JSONEachRow',
  });
  const [whole] = await response.json<KeptBars & { staged: number }>();
  const { staged, ...kept } = whole!;
  if (staged > 0 || contents.bars === 0) return { kept, refused: contents.bars - staged };
  const { file, line, reason } = await firstRefused(client, staging);
  throw new ServiceError(
    'import_rejected',
    `None of the ${contents.bars} rows can be used; the first is refused at ${file}:${line}: ${reason}.`,
  );
}

async function firstRefused(client: ClickHouseClient, staging: Staging) {
  const response = await client.query({
    query: `SELECT * FROM (${refusedRowsSql(staging)}) ORDER BY file, line LIMIT 1`,
    format: 'JSONEachRow',
  });
  return (await response.json<{ file: string; line: number; reason: string }>())[0]!;
}

/** Whether bars and listing would be identical to those of the base. */
export async function isAllThere(
  client: ClickHouseClient,
  staging: Staging,
  params: RowParams,
): Promise<boolean> {
  const bars = `SELECT ${CLEANED_COLUMNS} FROM (${keptRowsSql(staging, '')})`;
  const response = await client.query({
    query: `SELECT
      (SELECT count() FROM (${bars} EXCEPT SELECT ${STORED_COLUMNS} FROM market.daily_bar
         WHERE dataset_version = {base:String}
           AND (ticker, date) IN (SELECT ticker, toDate(date) FROM ${staging.rows} WHERE reason = ''))) AS new_bars,
      (SELECT count() FROM market.daily_bar
         WHERE dataset_version = {base:String} AND has({quietDays:Array(Date)}, date)) AS lost_bars,
      (SELECT count() FROM (${mergedListingSql(staging)} EXCEPT
         SELECT ticker, name, sector, board, listed_on FROM market.listing
         WHERE dataset_version = {base:String})) AS new_listings,
      toUInt32(new_bars + lost_bars + new_listings) AS changes`,
    query_params: params,
    format: 'JSONEachRow',
  });
  return (await response.json<{ changes: number }>())[0]!.changes === 0;
}

const STORED_COLUMNS = `ticker, date, open, high, low, close, previous, volume, value,
  toFloat64(frequency) AS frequency, foreign_buy, foreign_sell, nego_volume, nego_value,
  toFloat64(nego_frequency) AS nego_frequency, listed_shares`;
