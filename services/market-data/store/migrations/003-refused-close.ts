import type { ClickHouseMigration } from '#shared/clickhouse/tables.ts';

/**
 * The exchange may use the price of a refused row (from a system test, for example) as the reference price of the next
 * day. That day may be imported later, or again, when the refused row no longer exists. Therefore a version stores the
 * price.
 */
export const refusedClose: ClickHouseMigration = {
  name: '003_refused_close',
  statements: [
    {
      create: 'market.refused_close',
      columns: `
      dataset_version LowCardinality(String),
      ticker LowCardinality(String),
      date Date,
      close Float32 COMMENT 'IDR'`,
      engine: 'MergeTree',
      order: `PARTITION BY dataset_version ORDER BY (dataset_version, ticker, date)`,
      shardedBy: 'ticker',
    },
  ],
};
