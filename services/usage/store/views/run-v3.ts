import { RUN_COLUMNS } from './run-v2.ts';
import { analystView } from './analyst-view.ts';
import { DATASET_KIND, DATASET_VERSION, ERROR_CODE } from './view-columns.ts';

/** Like `run_v2`, whose columns it repeats. It reads the table itself, because `run_v2` lacks the new columns. */
export const runV3 = analystView({
  name: 'run_v3',
  comment: 'One row a run in its latest state, with the dataset that it read and why it went wrong.',
  columns: {
    ...RUN_COLUMNS,
    dataset_version: DATASET_VERSION,
    dataset_kind: DATASET_KIND,
    error_code: ERROR_CODE,
  },
  select: `SELECT
      event_id,
      ts,
      toDate(ts, 'Asia/Jakarta') AS jakarta_day,
      channel,
      actor,
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
      request_id,
      dataset_version,
      dataset_kind,
      error_code
    FROM usage.event FINAL
    SETTINGS do_not_merge_across_partitions_select_final = 1`,
});
