-- Which end users start the most runs, and which model do they use most?
-- Parameters: since (Date, first day), until (Date, first day that no longer counts).
-- Columns:
--   api_key_id      key
--   end_user        end user of that key, the busiest first; at most 100
--   runs            runs
--   active_days     days with a run, in Asia/Jakarta
--   most_on_a_day   runs of the busiest of these days
--   compute_seconds time that workers spent on these runs
--   favourite_model model with the most runs; among equals, the first by name
SELECT
  api_key_id,
  end_user,
  count() AS runs,
  uniqExact(jakarta_day) AS active_days,
  arrayMax((sumMap([toUInt16(jakarta_day)], [toUInt64(1)]) AS by_day).2) AS most_on_a_day,
  round(sum(duration_seconds), 1) AS compute_seconds,
  arraySort(
    (model, model_runs) -> (-toInt64(model_runs), model),
    (sumMap([toString(model_id)], [toUInt64(1)]) AS by_model).1,
    by_model.2)[1] AS favourite_model
FROM usage.run_v2
WHERE end_user != '' AND jakarta_day >= {since:Date} AND jakarta_day < {until:Date}
GROUP BY api_key_id, end_user
ORDER BY runs DESC, api_key_id, end_user
LIMIT 100
