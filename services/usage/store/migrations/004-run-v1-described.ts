import type { ClickHouseMigration } from '#shared/clickhouse/tables.ts';
import { quoted } from './analyst-view.ts';
import { RUN_COLUMNS } from './005-run-v2.ts';

/**
 * Adds comments to `run_v1` and makes it read with its definer's rights, because analysts have none on the table below.
 */
export const runV1Described: ClickHouseMigration = {
  name: '004_run_v1_described',
  statements: [
    'ALTER TABLE usage.run_v1 MODIFY SQL SECURITY DEFINER DEFINER = CURRENT_USER',
    `ALTER TABLE usage.run_v1 MODIFY COMMENT ${quoted('One row a run in its latest state. run_v2 also tells the actor.')}`,
    ...Object.entries(RUN_COLUMNS)
      .filter(([column]) => column !== 'actor')
      .map(([column, [, comment]]) => `ALTER TABLE usage.run_v1 COMMENT COLUMN ${column} ${quoted(comment)}`),
  ],
};
