import type { ClickHouseMigration } from '#shared/clickhouse/tables.ts';

/**
 * There are about twenty times as many broker rows as bars, and a daily refresh changes one month of them. They are
 * stored in segments of one calendar month, and a version lists its segments (`broker_segments`). Versions share equal
 * segments, a refresh writes only the months it changes, and a read finds each row once. A segment is a partition. It
 * never changes, and is dropped when the last version that lists it is pruned.
 */
export const brokerFlow: ClickHouseMigration = {
  name: '002_broker_flow',
  statements: [
    {
      alter: 'market.dataset',
      columns: `ADD COLUMN IF NOT EXISTS broker_data LowCardinality(String) DEFAULT 'none' COMMENT 'none, real or synthetic',
      ADD COLUMN IF NOT EXISTS broker_rows UInt64,
      ADD COLUMN IF NOT EXISTS broker_first_date String COMMENT 'YYYY-MM-DD, empty without broker rows',
      ADD COLUMN IF NOT EXISTS broker_last_date String,
      ADD COLUMN IF NOT EXISTS broker_segments Array(String)`,
    },
    {
      create: 'market.broker_flow',
      columns: `
      segment LowCardinality(String) COMMENT 'YYYY-MM.id; of a version: those in its broker_segments',
      ticker LowCardinality(String),
      date Date CODEC(DoubleDelta, LZ4),
      market LowCardinality(String) COMMENT 'REG or NEGO',
      broker LowCardinality(String),
      mode LowCardinality(String) COMMENT 'gross: both sides; net: their difference, on the larger side',
      buy_shares UInt64 CODEC(T64, LZ4),
      buy_value UInt64 COMMENT 'IDR' CODEC(T64, LZ4),
      sell_shares UInt64 CODEC(T64, LZ4),
      sell_value UInt64 COMMENT 'IDR' CODEC(T64, LZ4)`,
      engine: 'MergeTree',
      order: `PARTITION BY segment ORDER BY (ticker, date, market, broker)`,
      shardedBy: 'ticker',
    },
    {
      create: 'market.broker',
      columns: `
      dataset_version LowCardinality(String),
      code String,
      name String,
      is_retail UInt8 COMMENT 'most clients are retail investors',
      is_foreign UInt8 COMMENT 'most clients are foreign institutions; never together with is_retail'`,
      engine: 'MergeTree',
      order: `PARTITION BY dataset_version ORDER BY (dataset_version, code)`,
      shardedBy: 'dataset_version',
    },
    {
      create: 'market.finding',
      columns: `
      dataset_version LowCardinality(String),
      finding String,
      count UInt64,
      first_at String`,
      engine: 'MergeTree',
      order: `PARTITION BY dataset_version ORDER BY (dataset_version, finding)`,
      shardedBy: 'dataset_version',
    },
  ],
};
