-- How much did each key use in a period, as a basis for billing?
-- The names of keys are in PostgreSQL; `saring keys list` shows them with their ids.
-- Parameters: since (Date, first day), until (Date, first day that no longer counts).
-- Columns:
--   api_key_id      id of the key
--   runs            runs that were accepted
--   succeeded       of these, runs that succeeded
--   failed          of these, runs that failed or were cancelled
--   interrupted     of these, runs whose worker was lost
--   scheduled       of these, runs that the scheduler started
--   end_users       distinct end users of the period
--   compute_seconds time that workers spent on these runs
--   picks           stocks picked in all of them
SELECT
  api_key_id,
  count() AS runs,
  countIf(status = 'succeeded') AS succeeded,
  countIf(status = 'failed') AS failed,
  countIf(status = 'interrupted') AS interrupted,
  countIf(channel = 'scheduled') AS scheduled,
  uniqExactIf(end_user, end_user != '') AS end_users,
  round(sum(duration_seconds), 1) AS compute_seconds,
  sum(ifNull(pick_count, 0)) AS picks
FROM usage.run_v2
WHERE jakarta_day >= {since:Date} AND jakarta_day < {until:Date}
GROUP BY api_key_id
ORDER BY runs DESC, api_key_id
