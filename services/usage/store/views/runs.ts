import { analystView } from './analyst-view.ts';
import * as column from './view-columns.ts';

const V2_COLUMNS = {
  event_id: column.EVENT_ID,
  ts: column.TS,
  jakarta_day: ['Date', 'day of ts in Asia/Jakarta'],
  channel: column.CHANNEL,
  actor: column.ACTOR,
  api_key_id: column.API_KEY_ID,
  end_user: column.END_USER,
  model_id: column.MODEL_ID,
  params: ['String', 'parameters as the model received them, JSON'],
  status: column.STATUS,
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

const { actor: _, ...V1_COLUMNS } = V2_COLUMNS;

/**
 * A base of other views: one row per run in its latest state. Both states of a run have the same time, so they are in one partition
 * and FINAL need not merge across partitions. Each version reads the table itself, because an older one lacks the new columns.
 */
function runView(version: number, comment: string, columns: column.Columns): string {
  const selected = Object.keys(columns).map((name) =>
    name === 'jakarta_day' ? `toDate(ts, 'Asia/Jakarta') AS jakarta_day` : name,
  );
  return analystView({
    name: `run_v${version}`,
    comment,
    columns,
    select: `SELECT
      ${selected.join(',\n      ')}
    FROM usage.event FINAL
    SETTINGS do_not_merge_across_partitions_select_final = 1`,
  });
}

export const runV1 = runView(
  1,
  'One row a run in its latest state. run_v2 also tells the actor.',
  V1_COLUMNS,
);

export const runV2 = runView(2, 'One row a run in its latest state.', V2_COLUMNS);

export const runV3 = runView(
  3,
  'One row a run in its latest state, with the dataset that it read and why it went wrong.',
  {
    ...V2_COLUMNS,
    dataset_version: column.DATASET_VERSION,
    dataset_kind: column.DATASET_KIND,
    error_code: column.ERROR_CODE,
  },
);
