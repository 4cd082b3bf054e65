import type { ClickHouseMigration } from '#shared/clickhouse/tables.ts';

/**
 * Every row of the market carries the version of its dataset, and each version is a partition. So the leftovers of a
 * failed import can be dropped in one step, and no read returns rows of another version. A version exists once its row
 * is in `market.dataset`, which is written last.
 */
export const market: ClickHouseMigration = {
  name: '001_market',
  statements: [
    {
      create: 'market.dataset',
      columns: `
      version String,
      kind LowCardinality(String) COMMENT 'real or synthetic',
      source String,
      fingerprint String COMMENT 'SHA-256 of the upload or of the settings of the generator, hex',
      first_date Date,
      last_date Date,
      trading_days UInt32,
      tickers UInt32,
      bars UInt64,
      rejected_rows UInt64,
      published_at DateTime64(3, 'UTC')`,
      engine: 'MergeTree',
      order: `ORDER BY (published_at, version)`,
      shardedBy: 'version',
    },
    {
      create: 'market.daily_bar',
      columns: `
      dataset_version LowCardinality(String),
      ticker LowCardinality(String),
      date Date,
      open Float32 COMMENT 'IDR; prices are those of the day, not adjusted',
      high Float32,
      low Float32,
      close Float32,
      previous Float32 COMMENT 'reference price of the day, IDR',
      volume Float64 COMMENT 'shares; 0 on a day without trading',
      value Float64 COMMENT 'IDR',
      frequency UInt32 COMMENT 'number of trades',
      foreign_buy Float64 COMMENT 'shares',
      foreign_sell Float64 COMMENT 'shares',
      nego_volume Float64 COMMENT 'shares',
      nego_value Float64 COMMENT 'IDR',
      nego_frequency UInt32,
      listed_shares Float64,
      factor Float64 COMMENT 'previous against the close before; 1 when nothing happened',
      share_factor Float64 COMMENT 'the same, but other than 1 only on confirmed splits'`,
      engine: 'MergeTree',
      order: `PARTITION BY dataset_version ORDER BY (dataset_version, ticker, date)`,
      shardedBy: 'ticker',
    },
    {
      create: 'market.listing',
      columns: `
      dataset_version LowCardinality(String),
      ticker LowCardinality(String),
      name String,
      sector LowCardinality(String),
      board LowCardinality(String) COMMENT 'when the dataset was made, not on past days',
      listed_on Nullable(Date)`,
      engine: 'MergeTree',
      order: `PARTITION BY dataset_version ORDER BY (dataset_version, ticker)`,
      shardedBy: 'ticker',
    },
    {
      create: 'market.rejected_row',
      columns: `
      dataset_version LowCardinality(String),
      file String,
      line UInt32,
      reason LowCardinality(String),
      text String`,
      engine: 'MergeTree',
      order: `PARTITION BY dataset_version ORDER BY (dataset_version, file, line)`,
      shardedBy: 'dataset_version',
    },
  ],
};
