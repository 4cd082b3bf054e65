import type { ClickHouseClient } from '#shared/clickhouse/clickhouse.ts';
import { commandEverywhere, storedTable } from '#shared/clickhouse/cluster.ts';
import { dropUnusedSegments, dropVersion } from './leftovers.ts';

export interface PruneRequest {
  /** How many of the newest versions stay, at least 1. */
  keep: number;
  /** Versions that stay as well, however old they are. */
  stay: string[];
}

/**
 * Removes old versions, with the broker rows that no other version shares, and gives their names, newest first. What
 * is lost on the way is a version that is no longer visible, whose rows go with the next import or start.
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
  const answer = await client.query({
    query: `SELECT version FROM
              (SELECT version FROM market.dataset ORDER BY published_at DESC, version DESC
               LIMIT 18446744073709551615 OFFSET {keep:UInt32})
            WHERE NOT has({stay:Array(String)}, version)`,
    query_params: { keep, stay },
    format: 'JSONEachRow',
  });
  return (await answer.json<{ version: string }>()).map(({ version }) => version);
}
