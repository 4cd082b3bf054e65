import { syncedTables, type ClickHouseMigration } from '#shared/clickhouse/tables.ts';

const TABLES = [
  'dataset',
  'pruned_version',
  'daily_bar',
  'listing',
  'rejected_row',
  'refused_close',
  'broker_flow',
  'broker',
  'finding',
  'served',
];

/** Once an import has reported a version, all its rows survive a power cut. */
export const synced: ClickHouseMigration = {
  name: '009_synced',
  statements: syncedTables(TABLES.map((table) => `market.${table}`)),
};
