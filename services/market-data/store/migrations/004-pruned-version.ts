import type { ClickHouseMigration } from '#shared/clickhouse/clickhouse.ts';

/** Runs and answers go on naming a version that is pruned, so that no other one may ever be called the same. */
export const prunedVersion: ClickHouseMigration = {
  name: '004_pruned_version',
  statements: [
    `CREATE TABLE IF NOT EXISTS market.pruned_version (
      version String,
      pruned_at DateTime DEFAULT now()
    )
    ENGINE = ReplacingMergeTree ORDER BY version`,
  ],
};
