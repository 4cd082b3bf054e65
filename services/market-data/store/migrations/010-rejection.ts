import { syncedTables, type ClickHouseMigration } from '#shared/clickhouse/tables.ts';

/** All refused rows are counted, but only a limited number is stored, so that a useless file cannot fill the store. */
export const rejection: ClickHouseMigration = {
  name: '010_rejection',
  statements: [
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
    ...syncedTables(['market.rejection']),
    {
      fill: `INSERT INTO market.rejection
     SELECT dataset_version, reason, count(), min((file, line)).1, min((file, line)).2
     FROM market.rejected_row
     WHERE (SELECT count() FROM market.rejection) = 0
     GROUP BY dataset_version, reason`,
    },
  ],
};
