import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { asClickHouseTime } from '../staging/stored-names.ts';
import {
  AMOUNT_COLUMNS,
  BAR_GROUPS,
  BITS_OF_MASK,
  bitOf,
  maskSql,
  PRICE_COLUMNS,
  type BarGroup,
  type BarOrigin,
} from '../staging/bar-groups.ts';
import type { DraftVersion } from './draft-version.ts';
import type { Staging } from '../staging/staging.ts';
import { keptStagedRowsSql, rowsOfBaseSql } from './version-rows.ts';

const BAR_COLUMNS = [...PRICE_COLUMNS, ...AMOUNT_COLUMNS];

/** The origin of all bars of a dataset that is imported whole. */
const ONLY_ORIGIN = 1;

/**
 * Puts the staged rows that may stay into `staging.merged`, one bar of each and of the base's row of its day: of every group of
 * columns what the upload says, unless it says nothing or a source that ranks higher has said it before.
 */
export async function mergeWithBase(
  client: ClickHouseClient,
  staging: Staging,
  { base, quietDays, rank }: { base: Dataset; quietDays: string[]; rank: number },
): Promise<void> {
  const params = { base: base.version, quietDays, rank };
  await client.command({
    query: `INSERT INTO ${staging.merged} ${mergedRowsSql(staging)}`,
    query_params: params,
  });
  const known = (await readOrigins(client, base.version)).map(({ origin }) => origin);
  staging.firstOrigin = Math.max(0, ...known) + 1;
}

/**
 * Amounts of one source can contradict those of another. What then cannot be is not said: more bought by foreigners than was
 * traded, and trades of a stock that did not trade.
 */
function mergedRowsSql(staging: Staging): string {
  const ofBase = BAR_COLUMNS.map((name) => `${name === 'open_price' ? 'open' : name} AS base_${name}`);
  const merged = BAR_COLUMNS.map((name) => {
    const group = BAR_GROUPS.find(({ columns }) => columns.includes(name))!;
    return `if(is_new OR bitTest(mask, ${BAR_GROUPS.indexOf(group)}), ${name}, base_${name}) AS ${name}`;
  });
  const tooMuch = 'foreign_buy > volume OR foreign_sell > volume';
  return `SELECT file, line, ticker, date, ${BAR_COLUMNS.join(', ')}, combination FROM (
    SELECT * REPLACE (if(volume = 0, 0, frequency) AS frequency,
      if(${tooMuch}, nan, foreign_buy) AS foreign_buy, if(${tooMuch}, nan, foreign_sell) AS foreign_sell)
    FROM (
      SELECT * REPLACE (${merged.join(', ')}),
        bitShiftLeft(toUInt64(base_origin), ${BITS_OF_MASK}) + mask AS combination
      FROM (
        SELECT *, NOT is_there AS is_new,
          ${maskSql(takesSql)} AS mask
        FROM (${keptStagedRowsSql(staging)}) AS staged
        LEFT ANY JOIN (
          SELECT ticker, date, true AS is_there, origin AS base_origin, ${ofBase.join(', ')}
          FROM (${rowsOfBaseSql(staging)})
          WHERE date IN (SELECT toDate(date) FROM ${staging.rows} WHERE reason = '')
        ) AS of_base USING (ticker, date))))`;
}

/** SQL of whether the upload says a group, and no source that ranks higher has said it. */
function takesSql({ name, isSaid }: BarGroup): string {
  return `${isSaid('')} AND NOT (is_there AND ${isSaid('base_')} AND base_origin IN (
    SELECT origin FROM market.bar_origin
    WHERE dataset_version = {base:String} AND group_name = '${name}' AND rank < {rank:UInt32}))`;
}

/** Stores where the bars of a version come from. They are stored already. */
export async function storeOrigins(
  client: ClickHouseClient,
  { version, base, staging, provenance }: Pick<DraftVersion, 'version' | 'base' | 'staging' | 'provenance'>,
): Promise<void> {
  const before = base ? await readOrigins(client, base.version) : [];
  const ofOrigin = Map.groupBy(before, ({ origin }) => origin);
  const made = (await combinations(client, staging, base)).flatMap(({ number, baseOrigin, mask }) =>
    BAR_GROUPS.flatMap((group): BarOrigin[] => {
      if ((mask & bitOf(group)) !== 0) return [{ origin: number, group_name: group.name, ...provenance }];
      const kept = ofOrigin.get(baseOrigin)?.find(({ group_name }) => group_name === group.name);
      return kept ? [{ ...kept, origin: number }] : [];
    }),
  );
  const used = new Set(await usedOrigins(client, version));
  const values = [...before, ...made]
    .filter(({ origin }) => used.has(origin))
    .map((row) => ({
      ...row,
      dataset_version: version,
      retrieved_at: asClickHouseTime(new Date(row.retrieved_at)),
    }));
  if (values.length > 0) await client.insert({ table: 'market.bar_origin', values, format: 'JSONEachRow' });
}

/** Which groups of bars are new, over bars of which origin of the base, with the number of the origin that this makes. */
async function combinations(
  client: ClickHouseClient,
  staging: Staging,
  base: Dataset | undefined,
): Promise<{ number: number; baseOrigin: number; mask: number }[]> {
  const query = base
    ? `SELECT toFloat64(arrayJoin(${staging.combinationsSql})) AS combination`
    : `SELECT toFloat64(groupBitOr(toUInt8(${maskSql(({ isSaid }) => isSaid(''))}))) AS combination FROM ${staging.rows} WHERE reason = ''`;
  const rows = await clickhouseRows<{ combination: number }>(client, query);
  return rows.map(({ combination }, i) => ({
    number: base ? staging.firstOrigin + i : ONLY_ORIGIN,
    baseOrigin: Math.floor(combination / 2 ** BITS_OF_MASK),
    mask: combination % 2 ** BITS_OF_MASK,
  }));
}

async function usedOrigins(client: ClickHouseClient, version: string): Promise<number[]> {
  const query = 'SELECT DISTINCT origin FROM market.daily_bar WHERE dataset_version = {version:String}';
  const found = await clickhouseRows<{ origin: number }>(client, query, { version });
  return found.map(({ origin }) => origin);
}

async function readOrigins(client: ClickHouseClient, version: string): Promise<BarOrigin[]> {
  const query = `SELECT origin, group_name, source, upload, rank, toFloat64(toUnixTimestamp64Milli(retrieved_at)) AS retrieved_at
    FROM market.bar_origin WHERE dataset_version = {version:String} ORDER BY origin, group_name`;
  return clickhouseRows<BarOrigin>(client, query, { version });
}
