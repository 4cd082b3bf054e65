import type { ClickHouseMigration } from '#shared/clickhouse/tables.ts';

/** Runs and answers still refer to a pruned version, so its name must never be used again. */
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
