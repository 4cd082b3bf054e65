-- Which runs were interrupted and may have to be submitted again?
-- Parameters: since (Date, first day), until (Date, first day that no longer counts).
-- Columns:
--   ts              when the run was accepted, UTC; the latest first, at most 200
--   job_id          id under which the run is polled
--   request_id      id by which every log finds it
--   api_key_id      key
--   end_user        end user of that key
--   model_id        model
--   duration_seconds  from the start by a worker to the end
--   ran_again       whether the same end user later ran the same model with the same parameters successfully
SELECT
  ts,
  job_id,
  request_id,
  api_key_id,
  end_user,
  model_id,
  duration_seconds,
  ts < last_success AS ran_again
FROM
(
  SELECT
    *,
    maxIf(ts, status = 'succeeded') OVER (PARTITION BY api_key_id, end_user, model_id, params) AS last_success
  FROM usage.run_v2
  WHERE jakarta_day >= {since:Date} AND (api_key_id, end_user, model_id) IN (
    SELECT api_key_id, end_user, model_id FROM usage.run_v2
    WHERE status = 'interrupted' AND jakarta_day >= {since:Date} AND jakarta_day < {until:Date})
)
WHERE status = 'interrupted' AND jakarta_day < {until:Date}
ORDER BY ts DESC
LIMIT 200
