import { syncedTables, type ClickHouseMigration } from '#platform/clickhouse/tables.ts';

/** Which source said what of a bar. Bars that were stored before have the origin 0, of which nothing is known. */
export const barOrigins: ClickHouseMigration = {
  name: '035_bar_origins',
  statements: [
    {
      alter: 'market.daily_bar',
      columns: `ADD COLUMN IF NOT EXISTS origin UInt32 DEFAULT 0
        COMMENT 'of what the bar says: market.bar_origin; 0 if unknown' AFTER bid`,
    },
    {
      create: 'market.bar_origin',
      columns: `
      dataset_version LowCardinality(String),
      origin UInt32 COMMENT 'that of market.daily_bar',
      group_name LowCardinality(String) COMMENT 'columns of a bar that always come from one source together',
      source LowCardinality(String) COMMENT 'declared source of the feed, import for files of an operator, or generator',
      upload String COMMENT 'in which it came: a file or what the feed called it',
      retrieved_at DateTime64(3, 'UTC'),
      rank UInt32 COMMENT 'of the source when it came; 0 is first'`,
      engine: 'MergeTree',
      order: `PARTITION BY dataset_version ORDER BY (dataset_version, origin, group_name)`,
      shardedBy: 'dataset_version',
    },
    ...syncedTables(['market.bar_origin']),
  ],
};
