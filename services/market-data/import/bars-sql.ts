import type { Staging } from './staging.ts';

/** A price ratio beyond this, which no split confirms, is a wrong reference price and not a corporate action. */
const MAX_FACTOR = 50;
/** A split multiplies or divides the listed shares by at least this; smaller steps are options and conversions. */
const MIN_SPLIT_RATIO = 1.25;
/** How far price and share ratios of a split may lie apart: reference prices are rounded to the tick. */
const SPLIT_TOLERANCE = 0.1;

/**
 * SQL of the bars that are published, cleaned, from the staged rows that were not refused.
 *
 * - A day without trading keeps its row; its prices are the carried close.
 * - The opening price exists only for stocks with a pre-opening session; elsewhere it is 0, and the reference price
 *   within the day's range stands in.
 * - `factor` = reference price / close before. The reference price is the exchange's own adjustment of the close of
 *   the day before, so that it says nothing where that day is not in the data: across a gap only a split that the
 *   listed shares confirm counts. Nor where it repeats the price of a refused row (a system test, say).
 * - `share_factor` = listed shares before / now, where both ratios agree that it was a split or a reverse split.
 */
export function barsSql({ rows, refused }: Staging): string {
  return `SELECT {version:String} AS dataset_version, ticker, toDate(date) AS date,
    if(volume > 0, greatest(low, least(high, ${OPEN})), close) AS open,
    if(volume > 0, high, close) AS high,
    if(volume > 0, low, close) AS low,
    close, previous, volume, value, frequency, foreign_buy, foreign_sell, nego_volume, nego_value,
    nego_frequency, listed_shares,
    multiIf(
      close_before = 0 OR previous = 0 OR previous = close_before OR previous = staged_close_before, 1,
      is_split, price_ratio,
      day_number - day_number_before > 1 OR price_ratio > ${MAX_FACTOR} OR price_ratio < 1 / ${MAX_FACTOR}, 1,
      price_ratio) AS factor,
    if(is_split, share_ratio, 1) AS share_factor
  FROM (${withRatiosSql(rows, refused)})`;
}

const OPEN = 'multiIf(open_price > 0, open_price, previous > 0, previous, close)';
const ROW_BEFORE = 'ROWS BETWEEN 1 PRECEDING AND CURRENT ROW';

function withRatiosSql(rows: string, refused: string): string {
  return `SELECT *,
    previous / close_before AS price_ratio,
    listed_shares_before / listed_shares AS share_ratio,
    close_before > 0 AND previous > 0 AND previous != close_before
      AND listed_shares_before > 0 AND listed_shares > 0
      AND (share_ratio >= ${MIN_SPLIT_RATIO} OR share_ratio <= 1 / ${MIN_SPLIT_RATIO})
      AND abs(share_ratio / price_ratio - 1) <= ${SPLIT_TOLERANCE} AS is_split
  FROM (
    SELECT *,
      lagInFrame(close) OVER kept AS close_before,
      lagInFrame(listed_shares) OVER kept AS listed_shares_before,
      lagInFrame(day_number) OVER kept AS day_number_before
    FROM (${keptRowsSql(rows, refused)})
    WINDOW kept AS (PARTITION BY ticker ORDER BY date ${ROW_BEFORE})
  )`;
}

/** Rows that stay, with their place in the calendar and the close of the staged row before, refused or not. */
function keptRowsSql(rows: string, refused: string): string {
  const kept = `reason = '' AND (file, line) NOT IN (SELECT file, line FROM ${refused})`;
  return `WITH (SELECT arraySort(groupUniqArray(date)) FROM ${rows} WHERE ${kept}) AS trading_days
  SELECT * EXCEPT (text, reason), transform(date, trading_days, arrayEnumerate(trading_days), 0) AS day_number
  FROM (
    SELECT *, lagInFrame(close) OVER staged AS staged_close_before
    FROM ${rows}
    WINDOW staged AS (PARTITION BY ticker ORDER BY date, file, line ${ROW_BEFORE})
  )
  WHERE ${kept}`;
}
