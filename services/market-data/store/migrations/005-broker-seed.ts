import type { ClickHouseMigration } from '#shared/clickhouse/tables.ts';

/** Days that are added to a version go on with the made-up broker rows that it has. */
export const brokerSeed: ClickHouseMigration = {
  name: '005_broker_seed',
  statements: [
    {
      alter: 'market.dataset',
      columns: `ADD COLUMN IF NOT EXISTS broker_seed Nullable(UInt32) COMMENT 'of the generator of synthetic broker rows'`,
    },
  ],
};
