import { syncedTables, type ClickHouseMigration } from '#platform/clickhouse/tables.ts';

const TABLES = [
  'dataset',
  'pruned_version',
  'daily_bar',
  'listing',
  'rejected_row',
  'refused_close',
  'broker_flow',
  'broker',
  'finding',
  'served',
  'rejection',
];

/**
 * Every row of the market carries the version of its dataset, and each version is a partition. So the leftovers of a
 * failed import can be dropped in one step, and no read returns rows of another version. A version exists once its row
 * is in `market.dataset`, which is written last. Then all its rows survive a power cut.
 */
export const initial: ClickHouseMigration = {
  name: '010_initial',
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
      published_at DateTime64(3, 'UTC'),
      broker_data LowCardinality(String) DEFAULT 'none' COMMENT 'none, real or synthetic',
      broker_rows UInt64,
      broker_first_date String COMMENT 'YYYY-MM-DD, empty without broker rows',
      broker_last_date String,
      broker_segments Array(String),
      -- Days that are added to a version continue its synthetic broker rows, which needs the same seed.
      broker_seed Nullable(UInt32) COMMENT 'of the generator of synthetic broker rows',
      -- A service start with a configured file must not undo what was added to the dataset made from that file.
      origin_fingerprint String COMMENT 'of the files it began with, whatever was added since'`,
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
    /*
     * There are about twenty times as many broker rows as bars, and a daily refresh changes one month of them. They are
     * stored in segments of one calendar month, and a version lists its segments (`broker_segments`). Versions share equal
     * segments, a refresh writes only the months it changes, and a read finds each row once. A segment is a partition. It
     * never changes, and is dropped when the last version that lists it is pruned.
     */
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
    /*
     * The exchange may use the price of a refused row (from a system test, for example) as the reference price of the next
     * day. That day may be imported later, or again, when the refused row no longer exists. Therefore a version stores the
     * price.
     */
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
    // All refused rows are counted, but only a limited number is stored, so that a useless file cannot fill the store.
    {
      create: 'market.rejection',
      columns: `
      dataset_version LowCardinality(String),
      reason String,
      rows UInt64 COMMENT 'how many rows were refused for it; market.rejected_row holds the first of them',
      first_file String,
      first_line UInt32`,
      engine: 'MergeTree',
      order: `PARTITION BY dataset_version ORDER BY (dataset_version, reason)`,
      shardedBy: 'dataset_version',
    },
    // Runs and answers still refer to a pruned version, so its name must never be used again.
    {
      create: 'market.pruned_version',
      columns: `
      version String,
      pruned_at DateTime DEFAULT now()`,
      engine: 'ReplacingMergeTree',
      order: `ORDER BY version`,
      shardedBy: 'version',
    },
    /*
     * The record of served versions is append-only: the last row names the served version. Returning to an older version
     * adds a row. A version that is served according to this record but missing from `market.dataset` is lost.
     */
    {
      create: 'market.served',
      columns: `
      served_at DateTime64(3, 'UTC') COMMENT 'since when; later than in every row before',
      version String,
      action LowCardinality(String) COMMENT 'import, sample, broker synthesis or use',
      actor String COMMENT 'who, as the caller of the service names itself; empty when it did not',
      reason String COMMENT 'in words; may be empty'`,
      engine: 'MergeTree',
      order: `ORDER BY served_at
    SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`,
      shardedBy: 'version',
    },
    ...syncedTables(TABLES.map((table) => `market.${table}`)),
  ],
};
