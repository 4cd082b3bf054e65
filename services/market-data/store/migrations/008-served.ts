import type { ClickHouseMigration } from '#shared/clickhouse/tables.ts';

/**
 * The record of served versions is append-only: the last row names the served version. Returning to an older version
 * adds a row. A version that is served according to this record but missing from `market.dataset` is lost. Before this
 * record existed, the newest version was the served one.
 */
export const served: ClickHouseMigration = {
  name: '008_served',
  statements: [
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
    {
      fill: `INSERT INTO market.served SELECT published_at, version, 'import', '', '' FROM market.dataset
     WHERE (SELECT count() FROM market.served) = 0`,
    },
  ],
};
