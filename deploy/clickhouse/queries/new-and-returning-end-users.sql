-- How many people came for the first time, came back or stayed away each week?
-- The first time is the first run that the ledger still contains.
-- Parameters: since (Date, a day of the first week), until (Date, the Monday after the last week).
-- Columns:
--   week            Monday of the week, in Asia/Jakarta
--   active          end users with a run in the week
--   new             of these, those whose first run was in the week
--   returning       of these, those who had run something in an earlier week
--   lost            end users of the week before who had no run in this one
SELECT
  week,
  countIf(is_there) AS active,
  countIf(is_there AND is_first) AS new,
  active - new AS returning,
  countIf(NOT is_there) AS lost
FROM
(
  SELECT
    week,
    max(is_here) AS is_there,
    max(is_first_here) AS is_first
  FROM
  (
    SELECT
      api_key_id,
      end_user,
      week + 7 * later AS week,
      later = 0 AS is_here,
      later = 0 AND week = first_week AS is_first_here
    FROM
    (
      SELECT
        api_key_id,
        end_user,
        arrayJoin(groupUniqArray(toMonday(jakarta_day)) AS weeks) AS week,
        arrayMin(weeks) AS first_week
      FROM usage.run_v2
      WHERE end_user != '' AND jakarta_day < {until:Date}
      GROUP BY api_key_id, end_user
    )
    ARRAY JOIN [0, 1] AS later
  )
  GROUP BY api_key_id, end_user, week
)
WHERE week >= toMonday({since:Date}) AND week < {until:Date}
GROUP BY week
ORDER BY week
