import type { ClickHouseMigration } from '#shared/clickhouse/tables.ts';

/**
 * ClickHouse merges a month into one part when nothing was added to it for an hour. FINAL then has nothing to merge,
 * which halves the cost of counting the runs of past months, for one key or for all. A late event starts the hour
 * again.
 */
export const mergedMonths: ClickHouseMigration = {
  name: '014_merged_months',
  statements: [
    {
      alter: 'usage.event',
      storage: `MODIFY SETTING
      min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1`,
    },
  ],
};
