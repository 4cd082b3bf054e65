import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { wholeUntil } from '#shared/market/newest-trading-day.ts';
import type { RestatedDay } from '../merging/draft-version.ts';
import { BAR_GROUPS, type BarGroup } from '../staging/bar-groups.ts';
import { CLEANED_COLUMNS } from '../merging/bars-sql.ts';
import type { DaySpan } from '../request/import-source.ts';
import { BEFORE_FIRST_DAY, RESTATES } from '../rules/row-rules.ts';
import type { Staging } from '../staging/staging.ts';
import { rowsOfBaseSql } from '../merging/version-rows.ts';

const MAX_NAMED_DAYS = 20;
/** If this share of the rows of a day would change what is there, they are of another day, and none of them is taken. */
const OTHER_DAY_SHARE = 0.5;

interface Restating {
  base: Dataset;
  /** Days that the upload may restate. */
  restates: DaySpan | undefined;
  /** The rank of the declared source that the upload speaks for, as in ImportHeader. It may restate what lower-ranking sources said. */
  rank: number | undefined;
}

/**
 * Refuses rows that, merged with those of the base, change what it says, of days that the upload may not restate, and rows before its
 * first day. A row that says the same, or something that was not said before, may always stay, as may all of a partial newest day.
 * @returns the days that the upload restates, and may
 */
export async function refuseRestated(
  client: ClickHouseClient,
  staging: Staging,
  { base, restates, rank }: Restating,
): Promise<RestatedDay[]> {
  const compared = { base: base.version, rank: rank ?? OUTRANKS_NOBODY };
  const query = `SELECT toString(date) AS day, toUInt32(count()) AS rows, toUInt32(countIf(changes > 0)) AS changedRows,
      toUInt32(sum(changes)) AS changedValues, toUInt32(countIf(disputed > 0)) AS disputedRows, minIf(ticker, changes > 0) AS ticker
    FROM (${comparedRowsSql(staging)}) GROUP BY date HAVING changedRows > 0 ORDER BY date`;
  const days = await clickhouseRows<RestatedDay>(client, query, compared);
  const isIn = (day: string) => restates !== undefined && day >= restates.from && day <= restates.to;
  const mayChange = ({ day, disputedRows }: RestatedDay) =>
    disputedRows === 0 || isIn(day) || day > wholeUntil(base);
  const closed = days.filter((day) => !mayChange(day));
  const isOtherDay = ({ rows, disputedRows }: RestatedDay) => disputedRows >= rows * OTHER_DAY_SHARE;
  const { from = '', to = '' } = restates ?? {};
  const params = {
    ...{ ...compared, first: base.first_date, from, to },
    others: closed.filter(isOtherDay).map(({ day }) => day),
    own: closed.filter((day) => !isOtherDay(day)).map(({ day }) => day),
  };
  await refuse(client, staging, BEFORE_FIRST_DAY, {
    rows: `SELECT file, line FROM ${staging.merged}
           WHERE date < {first:Date} AND toString(date) NOT BETWEEN {from:String} AND {to:String}`,
    params,
  });
  if (closed.length > 0)
    await refuse(client, staging, RESTATES, {
      rows: `SELECT file, line FROM ${staging.merged} WHERE has({others:Array(Date)}, date)
             UNION ALL SELECT file, line FROM (${comparedRowsSql(staging)})
             WHERE disputed > 0 AND has({own:Array(Date)}, date)`,
      params,
    });
  return days.filter(mayChange);
}

/** Refuses merged rows, so that those of the base stay. */
async function refuse(
  client: ClickHouseClient,
  { refused, merged }: Staging,
  reason: string,
  { rows, params }: { rows: string; params: Record<string, unknown> },
): Promise<void> {
  await client.command({
    query: `INSERT INTO ${refused} SELECT file, line, '${reason}' FROM (${rows})`,
    query_params: params,
  });
  const is = `(file, line) IN (SELECT file, line FROM ${refused} WHERE reason = '${reason}')`;
  const query = `SELECT toUInt32(count()) AS rows FROM ${merged} WHERE ${is}`;
  const [found] = await clickhouseRows<{ rows: number }>(client, query);
  if (found!.rows === 0) return;
  await client.command({ query: `DELETE FROM ${merged} WHERE ${is}` });
}

/** Stores, as findings, how many values of which days a version changes: the days with most changes by name, and the sum of the others. */
export async function storeRestatedDays(
  client: ClickHouseClient,
  version: string,
  restated: readonly RestatedDay[],
): Promise<void> {
  if (restated.length === 0) return;
  const byChanges = restated.toSorted((a, b) => b.changedValues - a.changedValues);
  const values = byChanges.slice(0, MAX_NAMED_DAYS).map(({ day, changedValues, ticker }) => ({
    finding: `values restated on ${day}`,
    count: changedValues,
    first_at: `${ticker} ${day}`,
  }));
  const others = byChanges.slice(MAX_NAMED_DAYS).toSorted((a, b) => (a.day < b.day ? -1 : 1));
  if (others.length > 0)
    values.push({
      finding: `values restated on ${others.length} other days`,
      count: others.reduce((sum, { changedValues }) => sum + changedValues, 0),
      first_at: `${others[0]!.ticker} ${others[0]!.day}`,
    });
  await client.insert({
    table: 'market.finding',
    values: values.map((value) => ({ dataset_version: version, ...value })),
    format: 'JSONEachRow',
  });
}

/** A rank below every other. */
const OUTRANKS_NOBODY = 2 ** 32 - 1;

/** SQL of whether both rows say a value of a column, and say it differently. A difference from NaN is not above 0. */
function isChangedSql(name: string): string {
  switch (name) {
    case 'open_price':
      // Where the exchange has no opening price, the stored one is the reference price within the day's range, which nobody said.
      return '(new.open != old.open AND old.open != greatest(old.low, least(old.high, old.previous)))';
    case 'nego_frequency':
      return '(abs(new.nego_volume - old.nego_volume) >= 0 AND new.nego_frequency != old.nego_frequency)';
    case 'previous':
    case 'frequency':
    case 'listed_shares':
      return `(new.${name} > 0 AND old.${name} > 0 AND new.${name} != old.${name})`;
    default:
      return `(abs(new.${name} - old.${name}) > 0)`;
  }
}

/** SQL of the number of changed values of a group of columns. */
const changesSql = ({ columns }: BarGroup) => columns.map(isChangedSql).join(' + ');

const isOutrankedSql = ({ name }: BarGroup) => `old.origin IN (
  SELECT origin FROM market.bar_origin
  WHERE dataset_version = {base:String} AND group_name = '${name}' AND rank > {rank:UInt32})`;

/**
 * SQL of the merged rows of stocks and days that the base has, with the number of its values that they change, and of those that are
 * not of a source that ranks lower than the upload's.
 */
function comparedRowsSql(staging: Staging): string {
  const { merged } = staging;
  return `SELECT new.file AS file, new.line AS line, new.ticker AS ticker, new.date AS date,
      ${BAR_GROUPS.map(changesSql).join(' + ')} AS changes,
      ${BAR_GROUPS.map((group) => `if(${isOutrankedSql(group)}, 0, ${changesSql(group)})`).join(' + ')} AS disputed
    FROM (SELECT file, line, ${CLEANED_COLUMNS} FROM ${merged}) AS new
    INNER JOIN (
      SELECT * FROM (${rowsOfBaseSql(staging)}) WHERE date IN (SELECT date FROM ${merged})
    ) AS old ON new.ticker = old.ticker AND new.date = old.date`;
}
