import type { ClickHouseMigration } from '#platform/clickhouse/tables.ts';

/** Whether a stock could be sold at the end of a day. Versions that were imported before do not say. */
export const bids: ClickHouseMigration = {
  name: '033_bids',
  statements: [
    {
      alter: 'market.daily_bar',
      columns: `ADD COLUMN IF NOT EXISTS bid Float32 DEFAULT nan
        COMMENT 'best bid at the end of the day, IDR; 0 if nobody bid, nan if the source does not say' AFTER listed_shares`,
    },
  ],
};
