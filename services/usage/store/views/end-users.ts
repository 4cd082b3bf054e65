import { analystView } from './analyst-view.ts';
import { API_KEY_ID, END_USER, RUNS, SUCCEEDED } from './view-columns.ts';

export const endUsersV1 = analystView({
  name: 'end_users_v1',
  comment:
    'Every end user of every key: since when, until when and how much. Runs that are forgotten do not count.',
  columns: {
    api_key_id: API_KEY_ID,
    end_user: END_USER,
    first_day: ['Date', 'day of the first run, in Asia/Jakarta'],
    last_day: ['Date', 'day of the last run, in Asia/Jakarta'],
    active_days: ['UInt64', 'days with a run'],
    runs: RUNS,
    succeeded: SUCCEEDED,
    models: ['Array(String)', 'models that were run, in alphabetical order'],
    first_seen_at: ["DateTime64(3, 'UTC')", 'when the first run was accepted'],
    last_seen_at: ["DateTime64(3, 'UTC')", 'when the last run was accepted'],
  },
  select: `SELECT
      api_key_id,
      end_user,
      min(jakarta_day) AS first_day,
      max(jakarta_day) AS last_day,
      uniqExact(jakarta_day) AS active_days,
      count() AS runs,
      countIf(status = 'succeeded') AS succeeded,
      arraySort(groupUniqArray(toString(model_id))) AS models,
      min(ts) AS first_seen_at,
      max(ts) AS last_seen_at
    FROM usage.run_v2
    WHERE end_user != ''
    GROUP BY api_key_id, end_user`,
});

/** Every member of a cohort has a run in its first week, so the cohort's size is the largest of its weekly counts. */
export const endUserCohortsV1 = analystView({
  name: 'end_user_cohorts_v1',
  comment:
    'End users of a key by the week of their first run, and how many of them came back in which week. Weeks begin on ' +
    'Monday in Asia/Jakarta. A week in which nobody of a cohort came has no row.',
  columns: {
    api_key_id: API_KEY_ID,
    cohort_week: ['Date', 'Monday of the week of the first run that the ledger still has'],
    week: ['Date', 'Monday of a week in which some of them had a run'],
    weeks_since: ['UInt32', 'weeks between the two; 0 is the first week'],
    cohort_size: ['UInt64', 'end users of the cohort'],
    end_users: ['UInt64', 'of these, how many had a run in that week'],
    retention: ['Float64', 'end_users of cohort_size, 0 to 1'],
  },
  select: `SELECT
      api_key_id,
      cohort_week,
      week,
      intDiv(week - cohort_week, 7) AS weeks_since,
      max(count()) OVER (PARTITION BY api_key_id, cohort_week) AS cohort_size,
      count() AS end_users,
      end_users / cohort_size AS retention
    FROM
    (
      SELECT
        api_key_id,
        arrayJoin(groupUniqArray(toMonday(jakarta_day)) AS weeks) AS week,
        arrayMin(weeks) AS cohort_week
      FROM usage.run_v2
      WHERE end_user != ''
      GROUP BY api_key_id, end_user
    )
    GROUP BY api_key_id, cohort_week, week`,
});
