import type { ClickHouseMigration } from '#shared/clickhouse/tables.ts';

/** Runs and answers go on naming a version that is pruned, so that no other one may ever be called the same. */
export const prunedVersion: ClickHouseMigration = {
  name: '004_pruned_version',
  statements: [
    {
      create: 'market.pruned_version',
      columns: `
      version String,
      pruned_at DateTime DEFAULT now()`,
      engine: 'ReplacingMergeTree',
      order: `ORDER BY version`,
      shardedBy: 'version',
    },
  ],
};
