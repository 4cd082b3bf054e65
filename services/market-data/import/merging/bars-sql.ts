import type { Staging } from '../staging/staging.ts';
import { keptDaysSql, keptRowsSql } from './version-rows.ts';

/** A price ratio beyond this without a confirmed split is a wrong reference price, not a corporate action. */
const MAX_FACTOR = 50;
/** A split changes the listed shares by at least this ratio. Smaller steps are options and conversions. */
const MIN_SPLIT_RATIO = 1.25;
/** The maximum difference between the price and share ratios of a split. */
const SPLIT_TOLERANCE = 0.1;
/** A tick is one rupiah, or at most this part of the price. In 57 real splits, reference prices were off by half a tick at most. */
const MAX_TICK = 0.01;

/**
 * Columns of a bar that depend on its row alone.
 *
 * - A day without trading keeps its row; its prices are the carried close.
 * - Only stocks with a pre-opening session have an opening price. For others it is 0, and the reference price, limited
 *   to the day's range, replaces it.
 *
 * Applied to a published bar, they give the same bar.
 */
export const CLEANED_COLUMNS = `ticker, date,
    if(volume > 0, greatest(low, least(high,
      multiIf(open_price > 0, open_price, previous > 0, previous, close))), close) AS open,
    if(volume > 0, high, close) AS high,
    if(volume > 0, low, close) AS low,
    close, previous, volume, value, frequency, foreign_buy, foreign_sell, nego_volume, nego_value,
    nego_frequency, listed_shares, bid`;

/**
 * Rows on which bars since {since:Date} depend: they and, of each stock, the last one before, and the last one before that says the
 * listed shares. Other stocks have rows on these days too, but whole days are found much faster than single rows.
 */
export const NEEDED_SINCE = `(date >= {since:Date} OR date IN (
  SELECT arrayJoin([max(date), maxIf(date, listed_shares > 0)]) FROM market.daily_bar
  WHERE dataset_version = {base:String} AND date < {since:Date} GROUP BY ticker))`;

/** SQL of the bars that differ from those of the base, whose bars before {since:Date} stay as they are. Otherwise as {@link barsSql}. */
export function barsSinceSql(staging: Staging, base: string, hasStatedFactors: boolean): string {
  return `SELECT * FROM (${barsSql(staging, base, hasStatedFactors, NEEDED_SINCE)}) WHERE date >= {since:Date}`;
}

export const BARS_BEFORE_SQL = `SELECT {version:String}, * EXCEPT dataset_version
  FROM market.daily_bar WHERE dataset_version = {base:String} AND date < {since:Date}`;

/**
 * SQL of the cleaned bars to publish, from the rows that were kept: with the factors that were detected or, if corporate actions
 * or listings of later days say something else about some bars, those that they state. The refused closes of the version must be
 * stored first.
 */
export function barsSql(staging: Staging, base: string, hasStatedFactors: boolean, which?: string): string {
  const detected = detectedBarsSql(staging, base, which);
  if (!hasStatedFactors)
    return `SELECT {version:String} AS dataset_version, * EXCEPT (${NOT_STORED}) FROM (${detected})`;
  return `SELECT {version:String} AS dataset_version, * EXCEPT (${NOT_STORED}, is_stated, stated_factor, stated_share_factor)
    REPLACE (
      if(is_stated, stated_factor, factor) AS factor,
      if(is_stated, stated_share_factor, share_factor) AS share_factor)
  FROM (${detected}) AS bar
  LEFT ANY JOIN (
    SELECT ticker, date, factor AS stated_factor, share_factor AS stated_share_factor, true AS is_stated
    FROM ${staging.statedFactors}
  ) AS stated USING (ticker, date)`;
}

const NOT_STORED = 'close_before, listed_shares_before, day_number';

/**
 * SQL of the cleaned bars with what was detected on each.
 *
 * - `close_before` = previous close; 0 on the first bar of a stock.
 * - `listed_shares_before` = the listed shares that were said last before; 0 if none were.
 * - `factor` = reference price / previous close. The reference price is the exchange's own adjustment of the close of
 *   the day before. If that day is missing in the data, only a split that the listed shares confirm counts. A reference
 *   price that repeats the price of a refused row (from a system test, for example) does not count either.
 * - `share_factor` = previous listed shares / current ones, if both ratios agree that it was a split or a reverse
 *   split. It is the `factor` too, because the reference price is rounded to the tick: adjusted prices and share counts then
 *   multiply to what was traded. A reference price that is further off than rounding tells of more than a split, such as rights on
 *   the same day, and counts.
 *
 * @param which as for {@link keptRowsSql}
 */
export function detectedBarsSql(staging: Staging, base: string, which?: string): string {
  const kept = keptRowsSql(staging, base);
  return `SELECT ${CLEANED_COLUMNS}, origin, close_before, listed_shares_before, day_number,
    multiIf(
      close_before = 0 OR previous = 0 OR previous = close_before, 1,
      (ticker, date, previous) IN (${echoesSql(kept)}), 1,
      is_split, if(is_rounded OR day_number - day_number_before > 1, share_ratio, price_ratio),
      day_number - day_number_before > 1 OR price_ratio > ${MAX_FACTOR} OR price_ratio < 1 / ${MAX_FACTOR}, 1,
      price_ratio) AS factor,
    if(is_split, share_ratio, 1) AS share_factor
  FROM (${withRatiosSql(keptDaysSql(staging, base), which === undefined ? kept : keptRowsSql(staging, base, which))})`;
}

/**
 * Rows on both sides of a day that is missing for all stocks are no neighbours: what the exchange did on the missing day is unknown.
 * @param days SQL of the days of all rows, which are trading days, as {missingDays:Array(Date)} are
 */
function withRatiosSql(days: string, kept: string): string {
  return `SELECT *,
    previous / close_before AS price_ratio,
    listed_shares_before / listed_shares AS share_ratio,
    close_before > 0 AND previous > 0 AND previous != close_before
      AND listed_shares_before > 0 AND listed_shares > 0
      AND (share_ratio >= ${MIN_SPLIT_RATIO} OR share_ratio <= 1 / ${MIN_SPLIT_RATIO})
      AND abs(share_ratio / price_ratio - 1) <= ${SPLIT_TOLERANCE} AS is_split,
    abs(previous - close_before * share_ratio) <= greatest(1, ${MAX_TICK} * previous) AS is_rounded
  FROM (
    WITH (SELECT arraySort(arrayConcat(groupUniqArray(date), {missingDays:Array(Date)})) FROM (${days})) AS trading_days
    SELECT *,
      transform(date, trading_days, arrayEnumerate(trading_days), 0) AS day_number,
      lagInFrame(close) OVER before AS close_before,
      anyLastIf(listed_shares, listed_shares > 0) OVER earlier AS listed_shares_before,
      lagInFrame(day_number) OVER before AS day_number_before
    FROM (${kept})
    WINDOW before AS (PARTITION BY ticker ORDER BY date ROWS BETWEEN 1 PRECEDING AND CURRENT ROW),
      earlier AS (PARTITION BY ticker ORDER BY date ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
  )`;
}

/** Reference prices that repeat the price of a row that was refused since the previous row, with their days. */
function echoesSql(kept: string): string {
  const refused = `SELECT ticker, date, close FROM market.refused_close WHERE dataset_version = {version:String}`;
  return `SELECT gone.ticker, next.date, gone.close
    FROM (${refused}) AS gone
    ASOF INNER JOIN (
      SELECT ticker, date FROM (${kept}) WHERE ticker IN (SELECT ticker FROM (${refused}))
    ) AS next ON gone.ticker = next.ticker AND gone.date < next.date`;
}
