import { analystView } from './analyst-view.ts';
import * as column from './view-columns.ts';

export const runsPerDayV1 = analystView({
  name: 'runs_per_day_v1',
  comment: 'How many runs a day, a model and a channel, and what became of them.',
  columns: {
    jakarta_day: column.JAKARTA_DAY,
    model_id: column.MODEL_ID,
    channel: column.CHANNEL,
    runs: column.RUNS,
    started: column.STARTED,
    succeeded: column.SUCCEEDED,
    failed: column.FAILED,
    interrupted: column.INTERRUPTED,
    empty_results: column.EMPTY_RESULTS,
  },
  select: `SELECT
      jakarta_day,
      model_id,
      channel,
      count() AS runs,
      ${column.STATUS_COUNTS},
      countIf(status = 'succeeded' AND pick_count = 0) AS empty_results
    FROM usage.run_v2
    GROUP BY jakarta_day, model_id, channel`,
});

/**
 * Quantiles are exact, interpolated between the two nearest runs (inclusive: p0 is the shortest run, p100 the longest).
 * Runs that ended before a worker began them are left out: their duration is 0 and would make a model look fast.
 */
export const durationsPerDayV1 = analystView({
  name: 'durations_per_day_v1',
  comment:
    'How long runs took a day and a model: those that a worker began and that ended, however they ended.',
  columns: {
    jakarta_day: column.JAKARTA_DAY,
    model_id: column.MODEL_ID,
    ended_runs: ['UInt64', 'runs that ended after a worker had begun them'],
    mean_seconds: ['Float64', 'their mean duration'],
    p50_seconds: ['Float64', 'half of them took no longer'],
    p90_seconds: ['Float64', 'nine of ten took no longer'],
    p99_seconds: ['Float64', 'ninety-nine of a hundred took no longer'],
    max_seconds: ['Float64', 'the longest'],
  },
  select: `SELECT
      jakarta_day,
      model_id,
      count() AS ended_runs,
      avg(duration_seconds) AS mean_seconds,
      quantileExactInclusive(0.5)(duration_seconds) AS p50_seconds,
      quantileExactInclusive(0.9)(duration_seconds) AS p90_seconds,
      quantileExactInclusive(0.99)(duration_seconds) AS p99_seconds,
      max(duration_seconds) AS max_seconds
    FROM usage.run_v2
    WHERE status != 'started' AND duration_seconds > 0
    GROUP BY jakarta_day, model_id`,
});

const ERRORS_OF_DAY = {
  jakarta_day: column.JAKARTA_DAY,
  model_id: column.MODEL_ID,
  ended_runs: ['UInt64', 'runs that have ended'],
  failed: column.FAILED,
  interrupted: column.INTERRUPTED,
  error_rate: ['Float64', 'failed and interrupted of the ended, 0 to 1'],
} as const;
const WHOSE_ERRORS = {
  end_users: ['UInt64', 'end users who had such a run'],
  api_keys: ['UInt64', 'keys that had such a run'],
  last_error_at: ["Nullable(DateTime64(3, 'UTC'))", 'when the last such run was accepted; NULL without any'],
} as const;

/** @param codes the column of codes, if there is one */
const errorsOfDay = (runs: string, codes = '') => `SELECT
      jakarta_day,
      model_id,
      count() AS ended_runs,
      countIf(status = 'failed') AS failed,
      countIf(status = 'interrupted') AS interrupted,
      (failed + interrupted) / ended_runs AS error_rate,${codes}
      uniqExactIf((api_key_id, end_user), status != 'succeeded' AND end_user != '') AS end_users,
      uniqExactIf(api_key_id, status != 'succeeded') AS api_keys,
      maxOrNullIf(ts, status != 'succeeded') AS last_error_at
    FROM usage.${runs}
    WHERE status != 'started'
    GROUP BY jakarta_day, model_id`;

export const errorsPerDayV1 = analystView({
  name: 'errors_per_day_v1',
  comment:
    'How many of the ended runs of a day and a model went wrong, and for whom. Days without errors are there too.',
  columns: { ...ERRORS_OF_DAY, ...WHOSE_ERRORS },
  select: errorsOfDay('run_v2'),
});

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
    ...ERRORS_OF_DAY,
    error_codes: [
      'Map(String, UInt64)',
      'the failed and interrupted by error_code of run_v3; the code is empty where it is not recorded',
    ],
    ...WHOSE_ERRORS,
  },
  select: errorsOfDay(
    'run_v3',
    `
      sumMapIf(map(toString(error_code), toUInt64(1)), status != 'succeeded') AS error_codes,`,
  ),
});

export const keysPerDayV1 = analystView({
  name: 'keys_per_day_v1',
  comment: 'What each key used a day and a channel.',
  columns: {
    jakarta_day: column.JAKARTA_DAY,
    api_key_id: column.API_KEY_ID,
    channel: column.CHANNEL,
    runs: column.RUNS,
    started: column.STARTED,
    succeeded: column.SUCCEEDED,
    failed: column.FAILED,
    interrupted: column.INTERRUPTED,
    end_users: ['UInt64', 'distinct end users of the day and channel; not to be added up over days'],
    compute_seconds: ['Float64', 'time that workers spent on these runs'],
    picks: ['UInt64', 'stocks picked in all of them'],
  },
  select: `SELECT
      jakarta_day,
      api_key_id,
      channel,
      count() AS runs,
      ${column.STATUS_COUNTS},
      ${column.DISTINCT_END_USERS} AS end_users,
      sum(duration_seconds) AS compute_seconds,
      sum(ifNull(pick_count, 0)) AS picks
    FROM usage.run_v2
    GROUP BY jakarta_day, api_key_id, channel`,
});
