import type { ClickHouseMigration } from '#shared/clickhouse/tables.ts';

/**
 * A month to which nothing has been added for an hour becomes one part, which FINAL reads as it is: counting the runs
 * of months that are over costs half, a key's as well as everybody's. An event that comes late makes it begin anew.
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
