import { syncedTables, type ClickHouseMigration } from '#platform/clickhouse/tables.ts';

/**
 * Runs of screens by rules. Apart from `usage.event`, so that what counts runs of models, and the ceiling of how many of them are
 * kept, need not know of them: a key may run thousands of screens a minute.
 */
export const screenRuns: ClickHouseMigration = {
  name: '022_screen_runs',
  statements: [
    {
      create: 'usage.screen_run',
      columns: `
      event_id String CODEC(ZSTD(1)),
      ts DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
      api_key_id LowCardinality(String),
      end_user String CODEC(ZSTD(1)),
      -- 'screen' or 'preview'.
      kind LowCardinality(String),
      -- Empty for a preview, and the version is then 0.
      screen_id String CODEC(ZSTD(1)),
      version UInt32,
      -- The same few texts over and over.
      rules_text String CODEC(ZSTD(3)),
      as_of Date,
      matched UInt32,
      duration_seconds Float64 CODEC(ZSTD(1)),
      dataset_version LowCardinality(String),
      request_id String CODEC(ZSTD(1))`,
      engine: 'ReplacingMergeTree',
      order: `PARTITION BY toYYYYMM(ts)
    -- A message that was delivered twice has the same place, so that FINAL reads it once.
    ORDER BY (api_key_id, ts, event_id)
    SETTINGS non_replicated_deduplication_window = 1000`,
      shardedBy: 'api_key_id',
    },
    ...syncedTables(['usage.screen_run']),
  ],
};
