import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseClient } from '#shared/clickhouse/clickhouse.ts';
import { ServiceError } from '#shared/service-error.ts';
import { describeSegments, keepSegments } from '../keep-broker-rows.ts';
import type { Progress } from '../progress.ts';
import { refusedRowsSql, rejectedRowsSql, rejectionsSql } from '../rejected-rows.ts';
import type { StoredBrokerRows } from '../stored-broker-rows.ts';
import { storeFindings } from './broker-findings.ts';
import { writeMonths } from './broker-segments.ts';
import type { BrokerStaging } from './broker-staging.ts';
import { monthBatches } from './month-batches.ts';
import { refuseInBatch, type DaysOfVersion } from './refuse-broker-rows.ts';

interface BrokerRowsToStore {
  client: ClickHouseClient;
  staging: BrokerStaging;
  /** Its bars and its broker table are stored, and it is not published. */
  version: string;
  /** Whether the rows are `real` or `synthetic`. */
  kind: string;
  /** What the rows are added to; undefined when they stand for themselves. */
  base: Dataset | undefined;
  /** Days of which no row of the base stays. */
  quietDays: string[];
}

/**
 * Stores the staged rows that may stay, and notes the others and what there is to know of those that stay. Stock-days
 * of the upload take the place of those of the base. Months that the upload does not touch are shared with the base.
 * @throws ServiceError import_rejected when there are staged rows, and none of them may stay
 */
export async function storeBrokerRows(
  wanted: BrokerRowsToStore,
  { progress, signal }: { progress: Progress; signal: AbortSignal },
): Promise<StoredBrokerRows> {
  const { client, staging, version, kind, base, quietDays } = wanted;
  const days = await daysOf(client, version);
  const baseSegments = base?.broker_data === kind ? base.broker_segments : [];
  const written: string[] = [];
  for (const batch of await monthBatches(client, staging, { ...days, baseSegments })) {
    signal.throwIfAborted();
    progress.step = `storing broker rows of ${batch.months[0]!} and after`;
    const params = {
      ...days,
      fromMonth: `${batch.months[0]!}-01`,
      toMonth: `${batch.months.at(-1)!}-01`,
      baseSegments: baseSegments.filter((segment) => batch.months.includes(monthOf(segment))),
      quietDays,
    };
    await refuseInBatch(client, staging, batch, params);
    written.push(...(await writeMonths(client, staging, params)));
  }
  if (written.length === 0) throw await noneOf(client, staging, days);
  for (const query of [
    `INSERT INTO market.rejected_row SELECT {version:String}, * FROM (${rejectedRowsSql(staging)})`,
    `INSERT INTO market.rejection SELECT {version:String}, * FROM (${rejectionsSql(refusedRowsSql(staging))})`,
  ]) {
    await client.command({ query, query_params: { ...days } });
  }
  const months = new Set(written.map(monthOf));
  const untouched = baseSegments.filter((segment) => !months.has(monthOf(segment)));
  const kept = await keepSegments(client, { version, quietDays, segments: untouched });
  const segments = [...kept, ...written];
  await storeFindings(client, staging, version, segments);
  return { broker_data: kind, ...(await describeSegments(client, segments)) };
}

/** Of `2024-06.…` the 2024-06. */
function monthOf(segment: string): string {
  return segment.slice(0, 7);
}

async function daysOf(client: ClickHouseClient, version: string) {
  const answer = await client.query({
    query: `SELECT toString(min(date)) AS firstDay, toString(max(date)) AS lastDay FROM market.daily_bar
            WHERE dataset_version = {version:String}`,
    query_params: { version },
    format: 'JSONEachRow',
  });
  const [days] = await answer.json<{ firstDay: string; lastDay: string }>();
  return { version, ...days! };
}

async function noneOf(
  client: ClickHouseClient,
  staging: BrokerStaging,
  days: DaysOfVersion,
): Promise<ServiceError> {
  const answer = await client.query({
    query: `SELECT file, line, reason, (SELECT toUInt32(count()) FROM ${staging.rows}) AS staged
            FROM (${refusedRowsSql(staging)}) ORDER BY file, line LIMIT 1`,
    query_params: { ...days },
    format: 'JSONEachRow',
  });
  type Refused = { file: string; line: number; reason: string; staged: number };
  const { file, line, reason, staged } = (await answer.json<Refused>())[0]!;
  return new ServiceError(
    'import_rejected',
    `None of the ${staged} broker rows can be used; the first is refused at ${file}:${line}: ${reason}.`,
  );
}
