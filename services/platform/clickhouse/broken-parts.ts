import type { ClickHouseClient } from './clickhouse.ts';
import { rowsOfEveryNode } from './cluster.ts';
import type { Logger } from '../operations/logger.ts';
import { repeat } from '../process/repeat.ts';

/** The operator learns of broken parts within this time after ClickHouse has restarted. */
const POLL_PAUSE_MS = 30_000;
const SHOWN_PARTS = 5;

interface BrokenParts {
  table: string;
  parts: string[];
}

/**
 * When ClickHouse starts, for example after a power cut, it detaches the parts that are broken. Logs each of them once in the
 * life of this process, by table; the first look runs immediately. Returns a function that stops watching.
 */
export function watchBrokenParts(
  client: ClickHouseClient,
  database: string,
  log: Logger,
  pauseMs = POLL_PAUSE_MS,
): () => Promise<void> {
  const known = new Set<string>();
  const check = async () => {
    for (const { table, parts } of await brokenParts(client, database)) {
      const found = parts.filter((part) => !known.has(`${table} ${part}`));
      if (found.length === 0) continue;
      for (const part of found) known.add(`${table} ${part}`);
      log.error(
        { table: `${database}.${table}`, parts: found.length, first: found.slice(0, SHOWN_PARTS) },
        'ClickHouse has detached broken parts: rows of this table are missing until the parts are restored',
      );
    }
  };
  return repeat('looking for broken parts', pauseMs, check, log);
}

async function brokenParts(client: ClickHouseClient, database: string): Promise<BrokenParts[]> {
  return rowsOfEveryNode<BrokenParts>(client, {
    query: `SELECT table, arraySort(groupArray(name)) AS parts FROM system.detached_parts
            WHERE database = {database:String} AND startsWith(reason, 'broken') GROUP BY table ORDER BY table`,
    query_params: { database },
  });
}
