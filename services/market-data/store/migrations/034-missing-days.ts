import type { ClickHouseMigration } from '#platform/clickhouse/tables.ts';

/** A day that a dataset lacks can only be told from a holiday if a version says what the calendar said when it was made. */
export const missingDays: ClickHouseMigration = {
  name: '034_missing_days',
  statements: [
    {
      alter: 'market.dataset',
      columns: `ADD COLUMN IF NOT EXISTS missing_days Array(Date)
        COMMENT 'trading days between the first and the last day of which there is no row'`,
    },
    {
      alter: 'market.daily_bar',
      columns: `COMMENT COLUMN factor 'the exchange’s adjustment: previous against the close of the trading day before, of a split the exact ratio of listed shares; 1 when nothing happened'`,
    },
  ],
};
