-- How many runs are accepted each day, and how many of them fail or are interrupted?
-- Parameters: since (Date, first day), until (Date, first day that no longer counts).
-- Columns:
--   jakarta_day     day in Asia/Jakarta on which the runs were accepted
--   runs            all runs, whatever their outcome
--   scheduled       of these, runs that the scheduler started
--   started         of these, runs that have not ended
--   failed          of these, runs that failed or were cancelled
--   interrupted     of these, runs whose worker was lost
--   error_pct       failed and interrupted, in per cent of the runs that have ended; NULL while none has
SELECT
  jakarta_day,
  sum(r.runs) AS runs,
  sumIf(r.runs, channel = 'scheduled') AS scheduled,
  sum(r.started) AS started,
  sum(r.failed) AS failed,
  sum(r.interrupted) AS interrupted,
  round(100 * (failed + interrupted) / nullIf(runs - started, 0), 2) AS error_pct
FROM usage.runs_per_day_v1 AS r
WHERE jakarta_day >= {since:Date} AND jakarta_day < {until:Date}
GROUP BY jakarta_day
ORDER BY jakarta_day
