import type { ClickHouseMigration } from '#shared/clickhouse/tables.ts';

/** Days that are added to a version continue its synthetic broker rows, which needs the same seed. */
export const brokerSeed: ClickHouseMigration = {
  name: '005_broker_seed',
  statements: [
    {
      alter: 'market.dataset',
      columns: `ADD COLUMN IF NOT EXISTS broker_seed Nullable(UInt32) COMMENT 'of the generator of synthetic broker rows'`,
    },
  ],
};
