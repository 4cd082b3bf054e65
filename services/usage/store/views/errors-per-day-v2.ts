import { analystView } from './analyst-view.ts';
import { FAILED, INTERRUPTED, JAKARTA_DAY, MODEL_ID } from './view-columns.ts';

/**
 * The codes are a map beside the counts of the day: with one row per code, a day without errors would have none, and the rate
 * would have to be joined. Not divided by the kind of the dataset, because a run that was interrupted or cancelled names none:
 * those would form a kind with a rate of 1.
 */
export const errorsPerDayV2 = analystView({
  name: 'errors_per_day_v2',
  comment:
    'How many of the ended runs of a day and a model went wrong, why, and for whom. Days without errors are there too.',
  columns: {
    jakarta_day: JAKARTA_DAY,
    model_id: MODEL_ID,
    ended_runs: ['UInt64', 'runs that have ended'],
    failed: FAILED,
    interrupted: INTERRUPTED,
    error_rate: ['Float64', 'failed and interrupted of the ended, 0 to 1'],
    error_codes: [
      'Map(String, UInt64)',
      'the failed and interrupted by error_code of run_v3; the code is empty where it is not recorded',
    ],
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
      sumMapIf(map(toString(error_code), toUInt64(1)), status != 'succeeded') AS error_codes,
      uniqExactIf((api_key_id, end_user), status != 'succeeded' AND end_user != '') AS end_users,
      uniqExactIf(api_key_id, status != 'succeeded') AS api_keys,
      maxOrNullIf(ts, status != 'succeeded') AS last_error_at
    FROM usage.run_v3
    WHERE status != 'started'
    GROUP BY jakarta_day, model_id`,
});
