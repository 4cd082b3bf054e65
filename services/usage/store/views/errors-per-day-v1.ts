import { analystView } from './analyst-view.ts';
import { FAILED, INTERRUPTED, JAKARTA_DAY, MODEL_ID } from './view-columns.ts';

export const errorsPerDayV1 = analystView({
  name: 'errors_per_day_v1',
  comment:
    'How many of the ended runs of a day and a model went wrong, and for whom. Days without errors are there too.',
  columns: {
    jakarta_day: JAKARTA_DAY,
    model_id: MODEL_ID,
    ended_runs: ['UInt64', 'runs that have ended'],
    failed: FAILED,
    interrupted: INTERRUPTED,
    error_rate: ['Float64', 'failed and interrupted of the ended, 0 to 1'],
    end_users: ['UInt64', 'end users who had such a run'],
    api_keys: ['UInt64', 'keys that had such a run'],
    last_error_at: [
      "Nullable(DateTime64(3, 'UTC'))",
      'when the last such run was accepted; NULL without any',
    ],
  },
  select: `SELECT
      jakarta_day,
      model_id,
      count() AS ended_runs,
      countIf(status = 'failed') AS failed,
      countIf(status = 'interrupted') AS interrupted,
      (failed + interrupted) / ended_runs AS error_rate,
      uniqExactIf((api_key_id, end_user), status != 'succeeded' AND end_user != '') AS end_users,
      uniqExactIf(api_key_id, status != 'succeeded') AS api_keys,
      maxOrNullIf(ts, status != 'succeeded') AS last_error_at
    FROM usage.run_v2
    WHERE status != 'started'
    GROUP BY jakarta_day, model_id`,
});
