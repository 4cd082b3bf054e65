-- How often does each model succeed without picking any stock?
-- Parameters: since (Date, first day), until (Date, first day that no longer counts).
-- Columns:
--   model_id        model, the emptiest first
--   succeeded       runs that succeeded
--   empty_results   of these, runs that picked nothing
--   empty_pct       empty_results in per cent of succeeded
SELECT
  model_id,
  sum(r.succeeded) AS succeeded,
  sum(r.empty_results) AS empty_results,
  round(100 * empty_results / succeeded, 1) AS empty_pct
FROM usage.runs_per_day_v1 AS r
WHERE jakarta_day >= {since:Date} AND jakarta_day < {until:Date}
GROUP BY model_id
HAVING succeeded > 0
ORDER BY empty_pct DESC, model_id
