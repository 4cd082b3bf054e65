import { syncedTables, type ClickHouseMigration } from '#shared/clickhouse/tables.ts';

/** The stream deletes what the sink acknowledges, so a power cut must not lose those rows in ClickHouse. */
export const synced: ClickHouseMigration = {
  name: '015_synced',
  statements: syncedTables(['usage.event']),
};
