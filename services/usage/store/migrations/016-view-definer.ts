import type { ClickHouseMigration } from '#shared/clickhouse/tables.ts';

const VIEWS = [
  'run_v1',
  'run_v2',
  'pick_v1',
  'runs_per_day_v1',
  'durations_per_day_v1',
  'errors_per_day_v1',
  'picks_by_ticker_v1',
  'keys_per_day_v1',
  'end_users_v1',
  'end_user_cohorts_v1',
];

/**
 * A view reads with the rights of its definer. The definer was a user shared by all services, which no longer exists,
 * so queries of these views would fail.
 */
export const viewDefiner: ClickHouseMigration = {
  name: '016_view_definer',
  statements: VIEWS.map(
    (view) => `ALTER TABLE usage.${view} MODIFY SQL SECURITY DEFINER DEFINER = CURRENT_USER`,
  ),
};
