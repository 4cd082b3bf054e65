import type { ClickHouseMigration } from '#shared/clickhouse/tables.ts';

/**
 * The base for analysts: one row per run in its latest state. A view of this name keeps its columns for ever; a changed
 * shape gets a new version number.
 */
export const runV1: ClickHouseMigration = {
  name: '002_run_v1',
  statements: [
    `CREATE VIEW IF NOT EXISTS usage.run_v1 AS
    SELECT
      event_id,
      ts,
      toDate(ts, 'Asia/Jakarta') AS jakarta_day,
      channel,
      api_key_id,
      end_user,
      model_id,
      params,
      status,
      duration_seconds,
      pick_count,
      tickers,
      target_date,
      job_id,
      request_id
    FROM usage.event FINAL
    SETTINGS do_not_merge_across_partitions_select_final = 1`,
  ],
};
