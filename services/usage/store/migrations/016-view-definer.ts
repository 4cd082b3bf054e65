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
 * Views read with the rights of the user who made them. That was one of all services, which exists no more: a view of
 * its would answer nobody.
 */
export const viewDefiner: ClickHouseMigration = {
  name: '016_view_definer',
  statements: VIEWS.map(
    (view) => `ALTER TABLE usage.${view} MODIFY SQL SECURITY DEFINER DEFINER = CURRENT_USER`,
  ),
};
