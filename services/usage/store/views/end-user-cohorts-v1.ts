import { analystView } from './analyst-view.ts';
import { API_KEY_ID } from './view-columns.ts';

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
