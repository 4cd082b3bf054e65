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
