import { syncedTables, type ClickHouseMigration } from '#platform/clickhouse/tables.ts';

/** What the daily runs of models said. It belongs to a day of a kind of market, and to no dataset version. */
export const modelResults: ClickHouseMigration = {
  name: '032_model_results',
  statements: [
    /*
     * A result is one row, so it is there as a whole or not at all. A repetition may store it a second time; of several rows of a day
     * the earliest counts.
     */
    {
      create: 'market.model_result',
      columns: `
      dataset_kind LowCardinality(String) COMMENT 'real or synthetic',
      model_id LowCardinality(String),
      as_of Date COMMENT 'day analysed',
      job_id String,
      dataset_version String COMMENT 'that the run read; it may have been pruned since',
      stored_at DateTime64(3, 'UTC'),
      tickers Array(LowCardinality(String)) COMMENT 'every stock that was scored, as it was called then',
      probabilities Array(Nullable(Float64)) COMMENT 'percent; null if nothing was learnt',
      ranks Array(Nullable(UInt16)) COMMENT 'place from 1; null for a stock that was not ranked',
      picks Array(Bool)`,
      engine: 'MergeTree',
      order: `ORDER BY (dataset_kind, model_id, as_of)`,
      shardedBy: 'as_of',
    },
    ...syncedTables(['market.model_result']),
  ],
};
