import type { Staging } from './staging.ts';

/** Parameters of queries that contain this SQL: the base ('' for none) and the quiet days. */
export interface RowParams extends Record<string, unknown> {
  base: string;
  quietDays: string[];
}

const NUMBERS = [
  'volume',
  'value',
  'frequency',
  'foreign_buy',
  'foreign_sell',
  'nego_volume',
  'nego_value',
  'nego_frequency',
  'listed_shares',
];
const NUMBERS_SQL = NUMBERS.map((name) => `toFloat64(${name}) AS ${name}`).join(', ');
const PRICES_SQL = ['previous', 'open_price', 'high', 'low', 'close']
  .map((name) => `toFloat32(${name}) AS ${name}`)
  .join(', ');

/**
 * SQL of the rows that a version may be made of: the staged rows that were not refused on their own, and the bars of
 * the base that none of them replaces. Prices have the type in which they are stored, so that a number is the same
 * whether it comes from a file or from a version.
 */
export function goodRowsSql(staging: Staging, base: string): string {
  const staged = `SELECT file, line, ticker, toDate(date) AS date, ${PRICES_SQL}, ${NUMBERS_SQL}
    FROM ${staging.rows} WHERE reason = ''`;
  if (base === '') return staged;
  return `${staged}
  UNION ALL
  SELECT '' AS file, toUInt32(0) AS line, ticker, date, previous, open AS open_price, high, low, close, ${NUMBERS_SQL}
  FROM market.daily_bar
  WHERE dataset_version = {base:String} AND ${NOT_REPLACED(staging)}`;
}

/** SQL of the rows that stay after all refusals. If base is '', rows of the upload only. */
export function keptRowsSql(staging: Staging, base: string): string {
  return `SELECT * FROM (${goodRowsSql(staging, base)}) WHERE ${KEPT(staging)}`;
}

/** Without a base the subquery is empty. Reading the staged rows of a whole market for it would be wasted work. */
const NOT_REPLACED = ({ rows }: Staging) =>
  `(ticker, date) NOT IN (SELECT ticker, toDate(date) FROM ${rows} WHERE reason = '' AND {base:String} != '')`;

const KEPT = ({ refused }: Staging) =>
  `(file, line) NOT IN (SELECT file, line FROM ${refused}) AND NOT has({quietDays:Array(Date)}, date)`;

/**
 * SQL of the bars of the base that are dropped because, with more of the surrounding days known, their day turned out
 * to be quiet.
 */
export function droppedBarsSql(staging: Staging): string {
  return `SELECT * FROM market.daily_bar
    WHERE dataset_version = {base:String} AND has({quietDays:Array(Date)}, date) AND ${NOT_REPLACED(staging)}`;
}

/**
 * More different prices than the dropped rows of one stock and day have, unless a file is made to fill the store. The
 * lowest are kept, so that the same files give the same version.
 */
const MAX_CLOSES_PER_DAY = 16;

/**
 * SQL of the closes of dropped rows, from the upload and from the base, each price once. The exchange may have used
 * them as the reference price of the next day.
 */
export function refusedClosesSql(staging: Staging): string {
  const { rows, refused } = staging;
  return `SELECT DISTINCT ticker, date, close FROM (
    SELECT ticker, toDate(date) AS date, toFloat32(close) AS close FROM ${rows}
    WHERE (reason != '' OR (file, line) IN (SELECT file, line FROM ${refused}))
      AND close > 0 AND date BETWEEN toDate32('1970-01-02') AND toDate32('2149-06-06')
    UNION ALL SELECT ticker, date, close FROM (${droppedBarsSql(staging)})
    UNION ALL SELECT ticker, date, close FROM market.refused_close
    WHERE dataset_version = {base:String} AND ${NOT_REPLACED(staging)}
  ) ORDER BY ticker, date, close LIMIT ${MAX_CLOSES_PER_DAY} BY ticker, date`;
}

/**
 * SQL of the companies listed in the upload. Files without a sector take precedence over files of a sector; only the
 * latter give the sector.
 */
function stagedListingSql({ listing }: Staging): string {
  return `SELECT ticker, argMin(name, rank) AS name, max(sector) AS sector, argMin(board, rank) AS board,
      argMin(listed_on, rank) AS listed_on
    FROM (SELECT *, (sector != '', file) AS rank FROM ${listing}) GROUP BY ticker`;
}

/** SQL of the same companies, merged with what only the base knows. */
export function mergedListingSql(staging: Staging): string {
  const latestKnown = (name: string) => `argMaxIf(${name}, is_new, ${name} != '')`;
  return `SELECT ticker, ${latestKnown('name')}, ${latestKnown('sector')}, ${latestKnown('board')},
      argMaxIf(listed_on, is_new, isNotNull(listed_on))
    FROM (
      SELECT *, 1 AS is_new FROM (${stagedListingSql(staging)})
      UNION ALL
      SELECT ticker, name, sector, board, listed_on, 0 AS is_new FROM market.listing
      WHERE dataset_version = {base:String}
    )
    GROUP BY ticker`;
}
