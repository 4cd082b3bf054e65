import type { ClickHouseMigration } from '#shared/clickhouse/tables.ts';

/**
 * Which dataset a run read, and why it failed or was interrupted. Empty in rows that were recorded before these columns
 * existed, and in those that a process of the earlier version still inserts during an upgrade.
 */
export const eventDatasetAndError: ClickHouseMigration = {
  name: '017_event_dataset_and_error',
  statements: [
    {
      alter: 'usage.event',
      columns: `ADD COLUMN IF NOT EXISTS dataset_version LowCardinality(String) AFTER target_date,
        ADD COLUMN IF NOT EXISTS dataset_kind LowCardinality(String) AFTER dataset_version,
        ADD COLUMN IF NOT EXISTS error_code LowCardinality(String) AFTER dataset_kind`,
    },
  ],
};
