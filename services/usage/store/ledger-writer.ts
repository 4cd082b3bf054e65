import { createHash } from 'node:crypto';
import type { ClickHouseClient, ClickHouseNode } from '#platform/clickhouse/clickhouse.ts';
import { onEveryNode, storedTable } from '#platform/clickhouse/cluster.ts';
import { migrateClickHouse } from '#platform/clickhouse/migrate.ts';
import { migrations } from './migrations/index.ts';

interface RecordedRow {
  event_id: string;
  /** Only if the event has several. */
  status?: string | number;
}

/** The tables of the ledger: runs of models, runs of screens by rules, and counts of requests. */
export const LEDGER_TABLES = ['event', 'screen_run', 'request'] as const;
export type LedgerTable = (typeof LEDGER_TABLES)[number];

/** Inserts batches into a table of the ledger. A batch that is inserted twice is stored once. */
export class LedgerWriter {
  readonly #client: ClickHouseClient;
  readonly #retentionDays: number;
  readonly #table: LedgerTable;
  #prepared = false;

  constructor(client: ClickHouseClient, retentionDays: number, table: LedgerTable = 'event') {
    this.#client = client;
    this.#table = table;
    this.#retentionDays = retentionDays;
  }

  /** Migrates the ledger and applies the retention. Does nothing after the first success, until an insert fails. */
  async prepare(): Promise<void> {
    if (this.#prepared) return;
    await migrateClickHouse(this.#client, 'usage', migrations);
    await applyRetention(this.#client, this.#retentionDays, this.#table);
    this.#prepared = true;
  }

  /** Returns once the rows are stored. After a failure they may or may not be stored: insert the same rows again. */
  async insert(rows: RecordedRow[]): Promise<void> {
    await this.prepare();
    try {
      await this.#client.insert({
        table: `usage.${this.#table}`,
        values: rows,
        format: 'JSONEachRow',
        clickhouse_settings: {
          // Success must mean that the rows are on the disk, and the deduplication token works for whole blocks only.
          async_insert: 0,
          insert_deduplication_token: deduplicationToken(rows),
          // Old runs that arrive together after a long outage may span many months.
          max_partitions_per_insert_block: '0',
        },
      });
    } catch (error) {
      this.#prepared = false;
      throw error;
    }
  }
}

/** The same events in the same states and order give the same token, however often they are delivered. */
function deduplicationToken(rows: RecordedRow[]): string {
  const hash = createHash('sha256');
  for (const { event_id, status = '' } of rows) hash.update(`${event_id}\n${status}\n`);
  return hash.digest('hex');
}

/**
 * Makes ClickHouse delete events after `days` days; 0 keeps them for ever. Leaves a table alone that already has this
 * retention, because a change makes ClickHouse rewrite every part.
 */
export async function applyRetention(
  client: ClickHouseClient,
  days: number,
  of: LedgerTable = 'event',
): Promise<void> {
  const wanted = days === 0 ? undefined : `ts + toIntervalDay(${days})`;
  const table = storedTable(client, of);
  const change = wanted === undefined ? 'REMOVE TTL' : `MODIFY TTL ${wanted}`;
  await onEveryNode(client, async (node) => {
    if (wanted === (await presentRetention(node, table))) return;
    await node.command({ query: `ALTER TABLE usage.${table} ${change}` });
  });
}

async function presentRetention(node: ClickHouseNode, table: string): Promise<string | undefined> {
  const response = await node.query({
    query: `SELECT engine_full FROM system.tables WHERE database = 'usage' AND name = {table:String}`,
    query_params: { table },
    format: 'JSONEachRow',
  });
  const [found] = await response.json<{ engine_full: string }>();
  return / TTL (.+?)(?= SETTINGS |$)/.exec(found?.engine_full ?? '')?.[1];
}
