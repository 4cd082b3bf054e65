import { syncedTables, type ClickHouseMigration } from '#shared/clickhouse/tables.ts';

/** What the sink acknowledges to NATS, the stream forgets: a power cut must not take it from the ledger. */
export const synced: ClickHouseMigration = {
  name: '015_synced',
  statements: syncedTables(['usage.event']),
};
