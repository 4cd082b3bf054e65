import { analystView } from './analyst-view.ts';
import {
  API_KEY_ID,
  CHANNEL,
  DISTINCT_END_USERS,
  FAILED,
  INTERRUPTED,
  JAKARTA_DAY,
  RUNS,
  STARTED,
  STATUS_COUNTS,
  SUCCEEDED,
} from './view-columns.ts';

export const keysPerDayV1 = analystView({
  name: 'keys_per_day_v1',
  comment: 'What each key used a day and a channel.',
  columns: {
    jakarta_day: JAKARTA_DAY,
    api_key_id: API_KEY_ID,
    channel: CHANNEL,
    runs: RUNS,
    started: STARTED,
    succeeded: SUCCEEDED,
    failed: FAILED,
    interrupted: INTERRUPTED,
    end_users: ['UInt64', 'distinct end users of the day and channel; not to be added up over days'],
    compute_seconds: ['Float64', 'time that workers spent on these runs'],
    picks: ['UInt64', 'stocks picked in all of them'],
  },
  select: `SELECT
      jakarta_day,
      api_key_id,
      channel,
      count() AS runs,
      ${STATUS_COUNTS},
      ${DISTINCT_END_USERS} AS end_users,
      sum(duration_seconds) AS compute_seconds,
      sum(ifNull(pick_count, 0)) AS picks
    FROM usage.run_v2
    GROUP BY jakarta_day, api_key_id, channel`,
});
