import { analystView } from './analyst-view.ts';
import { RUN_COLUMNS } from './run-v2.ts';

const { actor: _, ...columns } = RUN_COLUMNS;

export const runV1 = analystView({
  name: 'run_v1',
  comment: 'One row a run in its latest state. run_v2 also tells the actor.',
  columns,
  select: `SELECT
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
});
