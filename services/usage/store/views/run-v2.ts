import { analystView } from './analyst-view.ts';
import { ACTOR, API_KEY_ID, CHANNEL, END_USER, EVENT_ID, MODEL_ID, STATUS, TS } from './view-columns.ts';

export const RUN_COLUMNS = {
  event_id: EVENT_ID,
  ts: TS,
  jakarta_day: ['Date', 'day of ts in Asia/Jakarta'],
  channel: CHANNEL,
  actor: ACTOR,
  api_key_id: API_KEY_ID,
  end_user: END_USER,
  model_id: MODEL_ID,
  params: ['String', 'parameters as the model received them, JSON'],
  status: STATUS,
  duration_seconds: [
    'Float64',
    'from a worker began the run to its end; 0 before that, or when none began it',
  ],
  pick_count: [
    'Nullable(UInt32)',
    'stocks picked; NULL unless the run succeeded, which is not the same as 0',
  ],
  tickers: ['Array(LowCardinality(String))', 'what was picked, best first'],
  target_date: ['Nullable(Date)', 'trading day that was analysed; NULL unless the run succeeded'],
  job_id: ['String', 'id under which the run is polled'],
  request_id: ['String', 'id of the request that submitted it, as in every log'],
} as const;

/**
 * The base of every other view: one row per run in its latest state. Both states of a run have the same time, so they
 * are in one partition and FINAL need not merge across partitions.
 */
export const runV2 = analystView({
  name: 'run_v2',
  comment: 'One row a run in its latest state.',
  columns: RUN_COLUMNS,
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
      request_id
    FROM usage.event FINAL
    SETTINGS do_not_merge_across_partitions_select_final = 1`,
});
