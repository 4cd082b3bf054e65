import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { commandEverywhere, rowsOfEveryNode, storedTable } from '#platform/clickhouse/cluster.ts';
import { readDatasets, servedVersion } from '#shared/market/dataset-feed.ts';
import { TEST_VERSIONS } from '#foundation/test-market.ts';
import { segmentName, STAGING_PREFIX } from '../import/staging/stored-names.ts';

const VERSIONED_TABLES = [
  'daily_bar',
  'bar_origin',
  'listing',
  'rejected_row',
  'rejection',
  'refused_close',
  'broker',
  'finding',
  'corporate_action',
  'late_factor',
];

/** Condition on a part, with {@link versionedTables} as parameters. Each version is a partition of its own. */
const IS_VERSIONED = `active AND database = 'market' AND has({stored:Array(String)}, table)`;

function versionedTables(client: ClickHouseClient): { stored: string[] } {
  return { stored: VERSIONED_TABLES.map((table) => storedTable(client, table)) };
}

/** Removes the rows of a version from every table. The version must not be published. */
export async function dropVersion(client: ClickHouseClient, version: string): Promise<void> {
  for (const table of await tablesWith(client, version)) {
    await commandEverywhere(client, {
      query: `ALTER TABLE market.${table} DROP PARTITION {version:String}`,
      query_params: { version },
    });
  }
}

/** A replica may have to fetch some rows yet, and a partition that is dropped is not fetched: all tables may have rows then. */
async function tablesWith(client: ClickHouseClient, version: string): Promise<string[]> {
  const { stored } = versionedTables(client);
  if (client.cluster?.isReplicated) return stored;
  return names(
    client,
    `SELECT DISTINCT table AS name FROM system.parts WHERE ${IS_VERSIONED} AND partition = {version:String}`,
    { stored, version },
  );
}

/** Also removes the broker rows that were stored for the version. */
export async function dropDraft(client: ClickHouseClient, version: string): Promise<void> {
  await dropVersion(client, version);
  const ending = segmentName('', version);
  await dropPartitions(client, 'broker_flow', 'endsWith(partition, {ending:String})', { ending });
}

/**
 * Removes the leftovers of an import that crashed or lost its connection to ClickHouse: its private tables, and rows of
 * versions that were never published. While the served version is lost, all rows stay. They may belong to that version,
 * whose row in `market.dataset` was detached with a broken part and can be restored. The caller must hold the lock of
 * the store, because this would destroy a running import of another copy.
 */
export async function removeLeftovers(client: ClickHouseClient): Promise<void> {
  await endOrphanedInserts(client);
  const tables = await names(
    client,
    `SELECT name FROM system.tables WHERE database = 'market' AND startsWith(name, '${STAGING_PREFIX}')`,
  );
  for (const name of tables)
    await commandEverywhere(client, { query: `DROP TABLE IF EXISTS market.${name} SYNC` });
  if (await isServedLost(client)) return;
  const versions = await names(
    client,
    `SELECT DISTINCT partition AS name FROM system.parts
     WHERE ${IS_VERSIONED} AND partition NOT IN (SELECT version FROM market.dataset)`,
    versionedTables(client),
  );
  for (const version of versions) await dropVersion(client, version);
  await dropUnusedSegments(client);
}

export interface PruneRequest {
  /** The number of newest versions to keep, at least 1. */
  keep: number;
  /** Other versions to keep, regardless of age. */
  stay: string[];
}

/**
 * Removes old versions, and broker rows that no other version shares. Returns their names, newest first. If it is
 * interrupted, some versions are no longer visible and their rows are removed by the next import or start.
 */
export async function pruneVersions(
  client: ClickHouseClient,
  { keep, stay }: PruneRequest,
): Promise<string[]> {
  const old = await oldVersions(client, keep, stay);
  if (old.length === 0) return [];
  await client.insert({
    table: 'market.pruned_version',
    columns: ['version'],
    values: old.map((version) => ({ version })),
    format: 'JSONEachRow',
  });
  await commandEverywhere(client, {
    query: `DELETE FROM ${storedTable(client, 'market.dataset')} WHERE has({old:Array(String)}, version)`,
    query_params: { old },
  });
  for (const version of old) await dropVersion(client, version);
  await dropUnusedSegments(client);
  return old;
}

async function oldVersions(client: ClickHouseClient, keep: number, stay: string[]): Promise<string[]> {
  const query = `SELECT version FROM
      (SELECT version FROM market.dataset WHERE NOT startsWith(version, {test:String}) ORDER BY published_at DESC, version DESC
       LIMIT 18446744073709551615 OFFSET {keep:UInt32})
    WHERE NOT has({stay:Array(String)}, version)`;
  const found = await clickhouseRows<{ version: string }>(client, query, {
    keep,
    stay,
    test: `${TEST_VERSIONS}-`,
  });
  return found.map(({ version }) => version);
}

/** Removes the broker rows that no published version refers to. */
async function dropUnusedSegments(client: ClickHouseClient): Promise<void> {
  const isUnused = 'partition NOT IN (SELECT arrayJoin(broker_segments) FROM market.dataset)';
  await dropPartitions(client, 'broker_flow', isUnused);
}

/** @param which condition on `partition` */
export async function dropPartitions(
  client: ClickHouseClient,
  table: string,
  which: string,
  params: Record<string, unknown> = {},
): Promise<void> {
  const partitions = await names(
    client,
    `SELECT DISTINCT partition AS name FROM system.parts
     WHERE active AND database = 'market' AND table = {stored:String} AND ${which}`,
    { ...params, stored: storedTable(client, table) },
  );
  for (const partition of partitions) {
    await commandEverywhere(client, {
      query: `ALTER TABLE ${storedTable(client, `market.${table}`)} DROP PARTITION {partition:String}`,
      query_params: { partition },
    });
  }
}

async function isServedLost(client: ClickHouseClient): Promise<boolean> {
  const version = await servedVersion(client);
  if (version === undefined) return false;
  return (await readDatasets(client, { version })).length === 0;
}

/**
 * A statement continues after its client process has exited, and could add rows to a new version of the same name.
 * Statements of other users are not killed.
 */
async function endOrphanedInserts(client: ClickHouseClient): Promise<void> {
  await commandEverywhere(client, {
    query: `KILL QUERY WHERE user = currentUser() AND query_kind = 'Insert'
              AND startsWith(query, 'INSERT INTO market.') SYNC`,
  });
}

/** Distinct names from all servers. */
async function names(
  client: ClickHouseClient,
  query: string,
  params: Record<string, unknown> = {},
): Promise<string[]> {
  const rows = await rowsOfEveryNode<{ name: string }>(client, { query, query_params: params });
  return [...new Set(rows.map(({ name }) => name))];
}
