import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { BURN_IN_DAYS } from '#synthetic-market/brokers/broker-month-generator.ts';
import type { DraftVersion } from '../merging/draft-version.ts';
import type { Progress } from '../request/progress.ts';
import { monthOf } from '../staging/stored-names.ts';
import type { StoredBrokerRows } from '../broker/broker-segments.ts';
import type { SynthesizeBrokerRows } from './synthesize-broker-rows.ts';
import { rejected } from '../rejected.ts';

/** Seed of a version whose request and base have none. */
export const DEFAULT_BROKER_SEED = 1;

/**
 * Stores synthetic broker rows for the bars of a version, whose broker table is already stored. If the base has
 * synthetic rows of the same seed and brokers, only the months that the added bars affect are generated again.
 * @throws ServiceError import_rejected when the table has no broker of a class
 */
export async function storeSyntheticBrokers(
  { client, synthesize }: { client: ClickHouseClient; synthesize: SynthesizeBrokerRows },
  draft: DraftVersion,
  { progress, signal }: { progress: Progress; signal: AbortSignal },
): Promise<StoredBrokerRows> {
  const { version, base, brokers, staging } = draft;
  await requireEveryClass(client, version);
  const seed = brokers.seed ?? base?.broker_seed ?? DEFAULT_BROKER_SEED;
  const goesOn =
    base?.broker_data === 'synthetic' && base.broker_seed === seed && staging.brokers.table.length === 0;
  if (!goesOn) return synthesize({ version, seed }, progress, signal);
  const months = await touchedMonths(client, draft);
  const keptSegments = base.broker_segments.filter((segment) => !months.includes(monthOf(segment)));
  return synthesize({ version, seed, months, keptSegments }, progress, signal);
}

/** Months whose bars, or whose preceding days that the generator depends on, may differ from those of the base. */
async function touchedMonths(
  client: ClickHouseClient,
  { staging, quietDays }: DraftVersion,
): Promise<string[]> {
  const query = `SELECT DISTINCT formatDateTime(arrayJoin([date, date + ${BURN_IN_DAYS}]), '%Y-%m') AS month
    FROM (SELECT DISTINCT toDate(date) AS date FROM ${staging.rows} WHERE reason = ''
          UNION DISTINCT SELECT arrayJoin({quietDays:Array(Date)}) AS date)
    ORDER BY month`;
  const found = await clickhouseRows<{ month: string }>(client, query, { quietDays });
  return found.map(({ month }) => month);
}

interface BrokersOfClasses {
  brokers: number;
  retail: number;
  foreign: number;
  local: number;
}

/**
 * Synthetic rows distribute every trade among retail, foreign and local brokers. If a class had no broker, its share
 * would go to the other classes and distort them.
 * @throws ServiceError import_rejected naming the classes without a broker in the stored broker table of a version
 */
async function requireEveryClass(client: ClickHouseClient, version: string): Promise<void> {
  const query = `SELECT toUInt32(count()) AS brokers, toUInt32(countIf(is_retail)) AS retail,
      toUInt32(countIf(is_foreign)) AS foreign, toUInt32(countIf(NOT is_retail AND NOT is_foreign)) AS local
    FROM market.broker WHERE dataset_version = {version:String}`;
  const [counts] = await clickhouseRows<BrokersOfClasses>(client, query, { version });
  const { brokers, ...classes } = counts!;
  const missing = Object.entries(classes).flatMap(([name, count]) => (count === 0 ? [name] : []));
  if (missing.length === 0) return;
  throw rejected(
    `The broker table (${brokers} ${brokers === 1 ? 'broker' : 'brokers'}) has no ${missing.join(' and no ')} broker, ` +
      'and made-up broker rows need brokers of every class: retail, foreign and local.',
  );
}
