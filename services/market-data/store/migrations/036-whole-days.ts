import type { ClickHouseMigration } from '#platform/clickhouse/tables.ts';

/** Until which day a version is whole. Versions that were imported before count as whole. */
export const wholeDays: ClickHouseMigration = {
  name: '036_whole_days',
  statements: [
    {
      alter: 'market.dataset',
      columns: `ADD COLUMN IF NOT EXISTS whole_until Date DEFAULT last_date
        COMMENT 'last day that is not partial; models and screens are as of it',
      ADD COLUMN IF NOT EXISTS accepted_days Array(Date)
        COMMENT 'days with few stocks that an operator accepted as whole'`,
    },
  ],
};
