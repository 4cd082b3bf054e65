-- How many of the people who first came in a given week came back in each of the following weeks?
-- Weeks in the future, and weeks in which none of them came, are 0.
-- Parameters: since (Date, a day of the first cohort's week), until (Date, first day that no longer counts).
-- Columns:
--   cohort_week     Monday of the week of their first run, in Asia/Jakarta
--   end_users       number of these end users, of all keys
--   pct_by_week     percentage of them with a run 0, 1, 2 … 12 weeks later
SELECT
  cohort_week,
  sumIf(c.end_users, weeks_since = 0) AS end_users,
  arrayMap(present -> round(100 * present / end_users, 1),
    sumForEach(arrayMap(since -> if(weeks_since = since, c.end_users, 0), range(13)))) AS pct_by_week
FROM usage.end_user_cohorts_v1 AS c
WHERE cohort_week >= toMonday({since:Date}) AND cohort_week < {until:Date}
GROUP BY cohort_week
ORDER BY cohort_week
