import { syncedTables, type ClickHouseMigration } from '#platform/clickhouse/tables.ts';

/**
 * Requests of keys, counted by the gateways: a row for each minute, key, operation and outcome, of each batch of a gateway. One row for
 * each request would be thousands a second.
 */
export const requests: ClickHouseMigration = {
  name: '023_requests',
  statements: [
    {
      create: 'usage.request',
      columns: `
      -- The batch of a gateway, and the place in it.
      event_id String CODEC(ZSTD(1)),
      -- The minute.
      ts DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
      api_key_id LowCardinality(String),
      -- Empty for a request that none took.
      operation_id LowCardinality(String),
      status UInt16,
      -- Empty without an error.
      code LowCardinality(String),
      requests UInt32,
      total_ms Float64 CODEC(ZSTD(1)),
      slowest_ms Float64 CODEC(ZSTD(1)),
      last_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
      last_request_id String CODEC(ZSTD(1))`,
      engine: 'ReplacingMergeTree',
      order: `PARTITION BY toYYYYMM(ts)
    -- A batch that was sent twice has the same places, so that FINAL reads it once.
    ORDER BY (api_key_id, ts, event_id)
    SETTINGS non_replicated_deduplication_window = 1000`,
      shardedBy: 'api_key_id',
    },
    ...syncedTables(['usage.request']),
  ],
};
