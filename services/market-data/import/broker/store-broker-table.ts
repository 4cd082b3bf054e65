import type { Broker, Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseClient } from '#shared/clickhouse/clickhouse.ts';
import { defaultBrokers } from './broker-table.ts';

/** Gives a version the uploaded broker table, or that of its base, or, when there is none, the default one. */
export async function storeBrokerTable(
  client: ClickHouseClient,
  { version, base, uploaded }: { version: string; base: Dataset | undefined; uploaded: Broker[] },
): Promise<void> {
  if (uploaded.length > 0) return insertTable(client, version, uploaded);
  await client.command({
    query: `INSERT INTO market.broker SELECT {version:String}, * EXCEPT dataset_version
            FROM market.broker WHERE dataset_version = {base:String}`,
    query_params: { version, base: base?.version ?? '' },
  });
  if (!(await hasTable(client, version))) await insertTable(client, version, defaultBrokers());
}

async function hasTable(client: ClickHouseClient, version: string): Promise<boolean> {
  const answer = await client.query({
    query: 'SELECT count() > 0 AS has_table FROM market.broker WHERE dataset_version = {version:String}',
    query_params: { version },
    format: 'JSONEachRow',
  });
  return (await answer.json<{ has_table: number }>())[0]!.has_table === 1;
}

async function insertTable(client: ClickHouseClient, version: string, brokers: Broker[]): Promise<void> {
  await client.insert({
    table: 'market.broker',
    values: brokers.map((broker) => ({ dataset_version: version, ...broker })),
    format: 'JSONEachRow',
  });
}
