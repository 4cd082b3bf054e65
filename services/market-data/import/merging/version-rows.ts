import type { Rename } from '#quant/corporate-actions/renames.ts';
import { AMOUNT_COLUMNS, PRICE_COLUMNS } from '../staging/bar-groups.ts';
import { isRenamedSql, renamedTickerSql } from './renamed-sql.ts';
import { HAS_STORABLE_DAY, KEEPING_BASE } from '../rules/row-rules.ts';
import type { Staging } from '../staging/staging.ts';

/** Parameters of queries that contain this SQL: the base ('' for none) and the quiet days. */
export interface RowParams extends Record<string, unknown> {
  base: string;
  quietDays: string[];
}

const NUMBERS_SQL = AMOUNT_COLUMNS.map((name) => `toFloat64(${name}) AS ${name}`).join(', ');
const PRICES_SQL = PRICE_COLUMNS.map((name) => `toFloat32(${name}) AS ${name}`).join(', ');

/**
 * SQL of the rows that a version may be made of: the staged rows that were not refused on their own, and the bars of
 * the base that none of them replaces. Prices have the type in which they are stored, so that a number is the same
 * whether it comes from a file or from a version.
 */
export function goodRowsSql(staging: Staging, base: string): string {
  if (base === '') return stagedRowsSql(staging);
  const ofBase = `SELECT ${OF_BASE_COLUMNS} FROM (${rowsOfBaseSql(staging)}) WHERE true`;
  return `${stagedRowsSql(staging)} UNION ALL ${withoutSql(ofBase, REPLACING(staging))}`;
}

/**
 * SQL of rows but for those of some stocks on some days.
 * @param rows ends with a condition
 * @param those their `ticker` and `date`. Days are compared first, because comparing rows takes several times as long.
 */
function withoutSql(rows: string, those: string): string {
  const days = `SELECT date FROM (${those})`;
  return `${rows} AND date NOT IN (${days})
    UNION ALL ${rows} AND date IN (${days}) AND (ticker, date) NOT IN (${those})`;
}

const OF_BASE_COLUMNS = `'' AS file, toUInt32(0) AS line, ticker, date, previous, open AS open_price, high, low, close, bid,
    ${NUMBERS_SQL}`;

function stagedRowsSql(staging: Staging, which = 'true'): string {
  return `SELECT file, line, ticker, toDate(date) AS date, ${PRICES_SQL}, ${NUMBERS_SQL}
    FROM ${staging.rows} WHERE reason = '' AND ${which}`;
}

/** SQL of the staged rows that stay after all refusals. */
export function keptStagedRowsSql(staging: Staging, which?: string): string {
  return `SELECT * FROM (${stagedRowsSql(staging, which)}) WHERE ${KEPT(staging)}`;
}

/** SQL of the bars of the base, those of renamed stocks under the names of today. */
export function rowsOfBaseSql(staging: Staging): string {
  return ofBaseSql('market.daily_bar', staging);
}

/**
 * SQL of the rows of a table of the base, those of renamed stocks under the names of today. A row under the old name is left out if
 * the new one has a row of that day.
 */
function ofBaseSql(table: string, { renames }: Staging): string {
  const ofBase = `SELECT * FROM ${table} WHERE dataset_version = {base:String}`;
  if (renames.length === 0) return ofBase;
  const isRenamed = isRenamedSql(renames);
  const name = renamedTickerSql(renames);
  const names = renames.map(({ to }) => `'${to}'`).join(', ');
  return `SELECT * REPLACE (${name} AS ticker) FROM (
    SELECT * FROM (${ofBase}) WHERE NOT (${isRenamed} AND (${name}, date) IN (
      SELECT ticker, date FROM (${ofBase}) WHERE ticker IN (${names}) AND NOT ${isRenamed})))`;
}

/**
 * SQL of the rows that a version is made of, with their origins: what stays of the upload after all refusals, merged with the
 * base if there is one, and the bars of the base that none of these replaces.
 * @param which condition on `ticker`, if not all rows are wanted; a list of tickers finds them by the order of the tables
 */
export function keptRowsSql(staging: Staging, base: string, which = 'true'): string {
  if (base === '') return `SELECT *, toUInt32(1) AS origin FROM (${keptStagedRowsSql(staging, which)})`;
  const { merged } = staging;
  const ofBase = `SELECT ${OF_BASE_COLUMNS}, origin FROM (${rowsOfBaseSql(staging)})
    WHERE ${which} AND NOT has({quietDays:Array(Date)}, date)`;
  return `SELECT * EXCEPT combination, ${staging.originSql} AS origin FROM ${merged} WHERE ${which}
    UNION ALL ${withoutSql(ofBase, `SELECT ticker, date FROM ${merged}`)}`;
}

/** SQL of the days of all rows that a version is made of, some more than once. Not of single rows, because that takes far longer. */
export function keptDaysSql(staging: Staging, base: string): string {
  if (base === '') return keptStagedRowsSql(staging);
  return `SELECT date FROM ${staging.merged} UNION ALL
    SELECT date FROM market.daily_bar WHERE dataset_version = {base:String} AND NOT has({quietDays:Array(Date)}, date)`;
}

const KEEPING = KEEPING_BASE.map((reason) => `'${reason}'`).join(', ');

/** Without a base the subquery is empty. Reading the staged rows of a whole market for it would be wasted work. */
const REPLACING = ({ rows, refused }: Staging) =>
  `SELECT ticker, toDate(date) AS date FROM ${rows} WHERE reason = '' AND {base:String} != ''
    AND (file, line) NOT IN (SELECT file, line FROM ${refused} WHERE reason IN (${KEEPING}))`;

const NOT_REPLACED = (staging: Staging) => `(ticker, date) NOT IN (${REPLACING(staging)})`;

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
    WHERE (reason != '' OR (file, line) IN (SELECT file, line FROM ${refused} WHERE reason NOT IN (${KEEPING})))
      AND close > 0 AND ${HAS_STORABLE_DAY}
    UNION ALL SELECT ticker, date, close FROM (${droppedBarsSql(staging)})
    UNION ALL SELECT ticker, date, close FROM (${ofBaseSql('market.refused_close', staging)})
    WHERE ${NOT_REPLACED(staging)}
  ) ORDER BY ticker, date, close LIMIT ${MAX_CLOSES_PER_DAY} BY ticker, date`;
}

/**
 * SQL of the companies listed in the upload. Files without a sector take precedence over files of a sector; only the
 * latter give the sector.
 */
function stagedListingSql({ listing }: Staging): string {
  return `SELECT ticker, argMin(name, rank) AS name, max(sector) AS sector, argMin(board, rank) AS board,
      argMin(listed_on, rank) AS listed_on
    FROM (SELECT *, (sector != '', file) AS rank FROM ${listing} WHERE reason = '') GROUP BY ticker`;
}

/** SQL of what is known of a stock under an old name, as facts of the new one. */
function oldListingSql(staging: Staging, { from, to }: Rename): string {
  const known = `SELECT *, -1 AS is_new FROM (${stagedListingSql(staging)})
        UNION ALL SELECT ticker, name, sector, board, listed_on, -2 AS is_new FROM market.listing
        WHERE dataset_version = {base:String}`;
  return `SELECT * REPLACE ('${to}' AS ticker) FROM (SELECT * FROM (${known}) WHERE ticker = '${from}')`;
}

/** SQL of the same companies, merged with what only the base knows, and with what is known under the old name of a renamed one. */
export function mergedListingSql(staging: Staging): string {
  const latestKnown = (name: string) => `argMaxIf(${name}, is_new, ${name} != '')`;
  return `SELECT ticker, ${latestKnown('name')}, ${latestKnown('sector')}, ${latestKnown('board')},
      argMaxIf(listed_on, is_new, isNotNull(listed_on))
    FROM (
      SELECT *, 1 AS is_new FROM (${stagedListingSql(staging)})
      UNION ALL
      SELECT ticker, name, sector, board, listed_on, 0 AS is_new FROM market.listing
      WHERE dataset_version = {base:String}
      ${staging.renames.map((rename) => `UNION ALL ${oldListingSql(staging, rename)}`).join('\n      ')}
    )
    GROUP BY ticker`;
}
