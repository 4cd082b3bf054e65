import type { ClickHouseClient } from '#shared/clickhouse/clickhouse.ts';
import { ServiceError } from '#shared/service-error.ts';

interface BrokersOfClasses {
  brokers: number;
  retail: number;
  foreign: number;
  local: number;
}

/**
 * Made-up rows share every trade out among retail, foreign and local brokers: without one of them, what it would have
 * traded would stand with the others, and look like theirs.
 * @throws ServiceError import_rejected naming the classes of which the stored broker table of a version has no broker
 */
export async function requireEveryClass(client: ClickHouseClient, version: string): Promise<void> {
  const answer = await client.query({
    query: `SELECT toUInt32(count()) AS brokers, toUInt32(countIf(is_retail)) AS retail,
              toUInt32(countIf(is_foreign)) AS foreign, toUInt32(countIf(NOT is_retail AND NOT is_foreign)) AS local
            FROM market.broker WHERE dataset_version = {version:String}`,
    query_params: { version },
    format: 'JSONEachRow',
  });
  const { brokers, ...classes } = (await answer.json<BrokersOfClasses>())[0]!;
  const missing = Object.entries(classes).flatMap(([name, count]) => (count === 0 ? [name] : []));
  if (missing.length === 0) return;
  throw new ServiceError(
    'import_rejected',
    `The broker table (${brokers} ${brokers === 1 ? 'broker' : 'brokers'}) has no ${missing.join(' and no ')} broker, ` +
      'and made-up broker rows need brokers of every class: retail, foreign and local.',
  );
}
