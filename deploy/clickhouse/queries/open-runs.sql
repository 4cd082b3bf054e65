-- Which runs have been open suspiciously long? There should be none: a lost run ends as `interrupted`.
-- Parameters: minutes (UInt32, how long is suspicious).
-- Columns:
--   ts              when the run was accepted, UTC; the oldest first, at most 200
--   open_minutes    how long ago that was
--   job_id          id under which the run is polled
--   request_id      id by which every log finds it
--   api_key_id      key
--   model_id        model
SELECT
  ts,
  dateDiff('minute', ts, now64(3, 'UTC')) AS open_minutes,
  job_id,
  request_id,
  api_key_id,
  model_id
FROM usage.run_v2
WHERE status = 'started' AND ts < now64(3, 'UTC') - toIntervalMinute({minutes:UInt32})
ORDER BY ts
LIMIT 200
