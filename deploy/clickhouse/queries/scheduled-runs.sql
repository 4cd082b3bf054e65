-- Did the scheduler start its runs, and did they succeed?
-- Parameters: since (Date, first day), until (Date, first day that no longer counts).
-- Columns:
--   schedule        id of the schedule
--   model_id        model that it runs
--   runs            runs that it started
--   succeeded       of these, runs that succeeded
--   last_run_at     when the last one was accepted, UTC
--   last_status     status of that run
--   last_target_date  latest trading day that was analysed successfully
SELECT
  actor AS schedule,
  model_id,
  count() AS runs,
  countIf(status = 'succeeded') AS succeeded,
  max(ts) AS last_run_at,
  argMax(status, ts) AS last_status,
  max(target_date) AS last_target_date
FROM usage.run_v2
WHERE channel = 'scheduled' AND jakarta_day >= {since:Date} AND jakarta_day < {until:Date}
GROUP BY schedule, model_id
ORDER BY schedule, model_id
