import type { Dataset, Broker } from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { dropVersion } from '../store/removals.ts';
import { storeActionFindings } from './actions/action-findings.ts';
import { findLateListings } from './actions/late-listings.ts';
import { storeActions } from './store-actions.ts';
import { BARS_BEFORE_SQL, barsSinceSql, barsSql } from './merging/bars-sql.ts';
import { storeBrokerRows } from './broker/store-broker-rows.ts';
import { rowParams, type DraftVersion } from './merging/draft-version.ts';
import { keepBrokerRows, NO_BROKER_ROWS, type StoredBrokerRows } from './broker/broker-segments.ts';
import { mergedListingSql, droppedBarsSql, refusedClosesSql } from './merging/version-rows.ts';
import { storeOrigins } from './merging/merged-rows.ts';
import type { Progress } from './request/progress.ts';
import { renamedSegments } from './merging/renamed-rows.ts';
import { storeRestatedDays } from './findings/restated-days.ts';
import { refusedRowsSql, rejectedRowsSql, rejectionsSql } from './rules/rejected-rows.ts';
import { HAS_STORABLE_DAY, QUIET_DAY } from './rules/row-rules.ts';
import { storeSyntheticBrokers } from './synthesis/store-synthetic-brokers.ts';
import { storeThinDays } from './findings/thin-days.ts';
import type { SynthesizeBrokerRows } from './synthesis/synthesize-broker-rows.ts';
import { defaultBrokers } from './files/broker-table.ts';

/** What a dataset states about its stored bars. */
type StoredBars = Pick<
  Dataset,
  'first_date' | 'last_date' | 'trading_days' | 'tickers' | 'bars' | 'whole_until'
>;

/**
 * Stores the cleaned bars of a version, its listing, and the refused rows of the upload. Refused rows of the base
 * remain with the base. Broker rows are stored later, and the version is not published yet.
 */
export async function storeBars(client: ClickHouseClient, draft: DraftVersion): Promise<StoredBars> {
  const { version, staging, refusesRows, missingDays } = draft;
  const insert = (query: string, more = {}) =>
    client.command({ query, query_params: { ...rowParams(draft), version, missingDays, ...more } });
  // Removes what is left of an unpublished version of the same name whose clean-up failed.
  await dropVersion(client, version);
  // Must be stored before the bars, whose query reads it.
  if (refusesRows || draft.base)
    await insert(
      `INSERT INTO market.refused_close SELECT {version:String}, * FROM (${refusedClosesSql(staging)})`,
    );
  // Also before the bars: what it states about bars replaces what is detected on them.
  const { listings, since } = await findLateListings(client, draft, await firstChange(client, draft));
  const stated = await storeActions(client, draft, listings);
  const { base } = rowParams(draft);
  const bars =
    since === undefined
      ? [barsSql(staging, base, stated.hasFactors)]
      : [BARS_BEFORE_SQL, barsSinceSql(staging, base, stated.hasFactors)];
  const inserts = [
    ...bars.map((sql) => `INSERT INTO market.daily_bar ${sql}`),
    `INSERT INTO market.listing SELECT {version:String}, * FROM (${mergedListingSql(staging)})`,
    ...(refusesRows ? rejectionInserts(staging) : []),
  ];
  const ended = await Promise.allSettled(
    inserts.map((sql) => insert(sql, since === undefined ? {} : { since })),
  );
  // Wait for all inserts: if one failed, the draft may be removed only when no insert is running any more.
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  await storeOrigins(client, draft);
  await storeActionFindings(client, draft, stated.matches);
  await storeMissingDays(client, draft);
  await storeRestatedDays(client, version, draft.restated);
  const stored = await describe(client, version);
  if (stored.bars === draft.bars) return { ...stored, whole_until: await storeThinDays(client, draft) };
  throw new Error(`${version}: ${stored.bars} bars are stored, ${draft.bars} should be`);
}

/**
 * The day before which all bars are those of the base: no row of the upload, not even a refused one, is of an earlier day, and the
 * calendar says the same of all earlier days. Undefined if there is none, or if more than the detected actions decides about factors.
 */
async function firstChange(client: ClickHouseClient, draft: DraftVersion): Promise<string | undefined> {
  const { base, staging, actions, quietDays, missingDays } = draft;
  if (!base || staging.renames.length > 0 || actions.length > 0) return undefined;
  const query = `SELECT toString(min(date)) AS day, toUInt32(count()) AS rows FROM (
      SELECT toDate(date) AS date FROM ${staging.rows}
      WHERE ${HAS_STORABLE_DAY}
      UNION ALL SELECT date FROM (${droppedBarsSql(staging)}))`;
  const [first] = await clickhouseRows<{ day: string; rows: number }>(
    client,
    query,
    rowParams({ base, quietDays }),
  );
  if (first!.rows === 0) return undefined;
  // A day that became a hole, or none, otherwise than by rows: its closure was listed since, for example.
  const [now, before] = [new Set(missingDays), new Set(base.missing_days)];
  const judgedAnew = [...now, ...before].filter((day) => now.has(day) !== before.has(day));
  return [first!.day, ...judgedAnew].sort()[0];
}

const SHOWN_DAYS = 10;

/** A day that is missing stays a finding of every version until it arrives. */
async function storeMissingDays(
  client: ClickHouseClient,
  { version, missingDays: days }: DraftVersion,
): Promise<void> {
  if (days.length === 0) return;
  const finding = 'trading day of the exchange without any row';
  const first_at = days.slice(0, SHOWN_DAYS).join(', ');
  const values = [{ dataset_version: version, finding, count: days.length, first_at }];
  await client.insert({ table: 'market.finding', values, format: 'JSONEachRow' });
}

function rejectionInserts(staging: DraftVersion['staging']): string[] {
  const dropped = rejectedBarsSql(staging);
  return [
    `INSERT INTO market.rejected_row SELECT {version:String}, *
     FROM (SELECT * FROM (${rejectedRowsSql(staging)}) UNION ALL ${dropped})`,
    `INSERT INTO market.rejection SELECT {version:String}, * FROM (${rejectionsSql(
      `${refusedRowsSql(staging)} UNION ALL SELECT file, line, reason FROM (${dropped})`,
    )})`,
  ];
}

/** Dropped bars of the base have no file and line. Their version, ticker and day identify them. */
function rejectedBarsSql(staging: DraftVersion['staging']): string {
  return `SELECT toString(dataset_version) AS file, toUInt32(0) AS line, '${QUIET_DAY}' AS reason,
      concat(ticker, ' ', toString(date)) AS text
    FROM (${droppedBarsSql(staging)})`;
}

async function describe(client: ClickHouseClient, version: string): Promise<Omit<StoredBars, 'whole_until'>> {
  const query = `SELECT toString(min(date)) AS first_date, toString(max(date)) AS last_date,
      toUInt32(uniqExact(date)) AS trading_days, toUInt32(uniqExact(ticker)) AS tickers,
      toUInt32(count()) AS bars
    FROM market.daily_bar WHERE dataset_version = {version:String}`;
  const [row] = await clickhouseRows<Omit<StoredBars, 'whole_until'>>(client, query, { version });
  return row!;
}

/** Stores the broker table and the broker rows of a version whose bars are stored and which is not published yet. */
export async function storeBrokers(
  deps: { client: ClickHouseClient; synthesize: SynthesizeBrokerRows },
  stored: DraftVersion,
  work: { progress: Progress; signal: AbortSignal },
): Promise<StoredBrokerRows> {
  const { client } = deps;
  const { version, staging } = stored;
  const base = stored.base && {
    ...stored.base,
    broker_segments: await segmentsOfBase(client, stored, stored.base),
  };
  const draft = { ...stored, base };
  await storeBrokerTable(client, { version, base, uploaded: staging.brokers.table });
  switch (draft.brokers.origin) {
    case 'none':
      return NO_BROKER_ROWS;
    case 'base':
      return keepBrokerRows(client, { ...draft, base: base! });
    case 'upload':
      return storeBrokerRows({ ...draft, client, staging: staging.brokers }, work);
    case 'generator':
      return storeSyntheticBrokers(deps, draft, work);
  }
}

/** The segments of the base, in which renamed stocks have the names of today. */
function segmentsOfBase(
  client: ClickHouseClient,
  { version, staging }: DraftVersion,
  { broker_segments: segments }: Dataset,
): Promise<string[]> {
  return renamedSegments(client, staging.renames, { version, segments });
}

/** Stores the broker table of a version: the uploaded one, else that of its base, else the default table. */
async function storeBrokerTable(
  client: ClickHouseClient,
  { version, base, uploaded }: { version: string; base: Dataset | undefined; uploaded: Broker[] },
): Promise<void> {
  if (uploaded.length > 0) return insertTable(client, version, uploaded);
  if (base) {
    await client.command({
      query: `INSERT INTO market.broker SELECT {version:String}, * EXCEPT dataset_version
              FROM market.broker WHERE dataset_version = {base:String}`,
      query_params: { version, base: base.version },
    });
    if (await hasTable(client, version)) return;
  }
  await insertTable(client, version, defaultBrokers());
}

async function hasTable(client: ClickHouseClient, version: string): Promise<boolean> {
  const query = 'SELECT count() > 0 AS has_table FROM market.broker WHERE dataset_version = {version:String}';
  const [row] = await clickhouseRows<{ has_table: number }>(client, query, { version });
  return row!.has_table === 1;
}

async function insertTable(client: ClickHouseClient, version: string, brokers: Broker[]): Promise<void> {
  await client.insert({
    table: 'market.broker',
    values: brokers.map((broker) => ({ dataset_version: version, ...broker })),
    format: 'JSONEachRow',
  });
}
