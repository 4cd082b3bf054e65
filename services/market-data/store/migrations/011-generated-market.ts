import type { ClickHouseMigration } from '#platform/clickhouse/tables.ts';

/** A generated market can only be continued if it is known what it was generated from. */
export const generatedMarket: ClickHouseMigration = {
  name: '011_generated_market',
  statements: [
    {
      alter: 'market.dataset',
      columns: `ADD COLUMN IF NOT EXISTS generated
        Tuple(edition UInt32, seed UInt32, tickers UInt32, planned_days UInt32)
        COMMENT 'what the bars are generated from; edition 0 if any of them come from files'`,
    },
  ],
};
