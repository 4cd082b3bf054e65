import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { rejected } from '../rejected.ts';
import { CLEANED_COLUMNS } from './bars-sql.ts';
import { rowParams, type DraftVersion } from './draft-version.ts';
import { refusedRowsSql } from '../rules/rejected-rows.ts';
import { BEFORE_FIRST_DAY, RESTATES } from '../rules/row-rules.ts';
import type { Staging } from '../staging/staging.ts';
import { keptRowsSql, mergedListingSql, type RowParams } from './version-rows.ts';

/** Five times as many as the exchange has ever listed. Workers hold each in memory, and readers number them in 16 bits. */
export const MAX_STOCKS = 5_000;

/** What a version will state about its bars. */
export type KeptBars = Pick<Dataset, 'bars' | 'tickers' | 'trading_days' | 'first_date' | 'last_date'>;

/**
 * Counts the bars and stocks that a version will have, its days, and the staged rows that it refuses.
 * @throws ServiceError import_rejected when bars are staged, but none of them may stay, and for too many stocks
 */
export async function countKept(
  client: ClickHouseClient,
  draft: Pick<DraftVersion, 'base' | 'staging' | 'contents' | 'quietDays'>,
): Promise<{ kept: KeptBars; days: string[]; refused: number }> {
  const { staging, contents } = draft;
  const params = rowParams(draft);
  const query = `SELECT toUInt32(count()) AS bars, toUInt32(uniqExact(ticker)) AS tickers,
      arraySort(groupUniqArray(date)) AS days, toUInt32(countIf(file != '')) AS staged
    FROM (${keptRowsSql(staging, params.base)})`;
  const [whole] = await clickhouseRows<
    Pick<Dataset, 'bars' | 'tickers'> & { days: string[]; staged: number }
  >(client, query, params);
  const { staged, days, ...counts } = whole!;
  const kept = { ...counts, trading_days: days.length, first_date: days[0]!, last_date: days.at(-1)! };
  if (kept.tickers > MAX_STOCKS)
    throw rejected(
      `The market would have ${kept.tickers} stocks, and may have at most ${MAX_STOCKS}. Leave out what is no stock of the exchange.`,
    );
  if (staged > 0 || contents.bars === 0) return { kept, days, refused: contents.bars - staged };
  const { file, line, reason } = await firstRefused(client, staging);
  const advice = [RESTATES, BEFORE_FIRST_DAY].includes(reason)
    ? ' Declare which days it may restate: --restate FROM..TO.'
    : '';
  throw rejected(
    `None of the ${contents.bars} rows can be used; the first is refused at ${file}:${line}: ${reason}.${advice}`,
  );
}

async function firstRefused(client: ClickHouseClient, staging: Staging) {
  const query = `SELECT * FROM (${refusedRowsSql(staging)}) WHERE file IN (SELECT file FROM ${staging.rows})
    ORDER BY file, line LIMIT 1`;
  const [row] = await clickhouseRows<{ file: string; line: number; reason: string }>(client, query);
  return row!;
}

/** Whether bars and listing would be identical to those of the base. */
export async function isAllThere(
  client: ClickHouseClient,
  staging: Staging,
  params: RowParams,
): Promise<boolean> {
  const bars = `SELECT ${CLEANED_COLUMNS} FROM ${staging.merged}`;
  const query = `SELECT
    (SELECT count() FROM (${bars} EXCEPT SELECT ${STORED_COLUMNS} FROM market.daily_bar
       WHERE dataset_version = {base:String}
         AND (ticker, date) IN (SELECT ticker, toDate(date) FROM ${staging.rows} WHERE reason = ''))) AS new_bars,
    (SELECT count() FROM market.daily_bar
       WHERE dataset_version = {base:String} AND has({quietDays:Array(Date)}, date)) AS lost_bars,
    (SELECT count() FROM (${mergedListingSql(staging)} EXCEPT
       SELECT ticker, name, sector, board, listed_on FROM market.listing
       WHERE dataset_version = {base:String})) AS new_listings,
    toUInt32(new_bars + lost_bars + new_listings) AS changes`;
  const [row] = await clickhouseRows<{ changes: number }>(client, query, params);
  return row!.changes === 0;
}

const STORED_COLUMNS = `ticker, date, open, high, low, close, previous, volume, value,
  toFloat64(frequency) AS frequency, foreign_buy, foreign_sell, nego_volume, nego_value,
  toFloat64(nego_frequency) AS nego_frequency, listed_shares, bid`;
