-- Which models are slowest, and how long do their typical and slowest runs take?
-- Quantiles of days cannot be averaged, so those of a period are computed from its runs.
-- Parameters: since (Date, first day), until (Date, first day that no longer counts).
-- Columns:
--   model_id        model, the slowest first
--   ended_runs      runs that ended after a worker had started them
--   p50_seconds     half of them took no longer
--   p90_seconds     nine of ten took no longer
--   p99_seconds     ninety-nine of a hundred took no longer
--   max_seconds     the longest
SELECT
  model_id,
  count() AS ended_runs,
  round(quantileExactInclusive(0.5)(duration_seconds), 3) AS p50_seconds,
  round(quantileExactInclusive(0.9)(duration_seconds), 3) AS p90_seconds,
  round(quantileExactInclusive(0.99)(duration_seconds), 3) AS p99_seconds,
  round(max(duration_seconds), 3) AS max_seconds
FROM usage.run_v2
WHERE status != 'started' AND duration_seconds > 0
  AND jakarta_day >= {since:Date} AND jakarta_day < {until:Date}
GROUP BY model_id
ORDER BY p99_seconds DESC, model_id
