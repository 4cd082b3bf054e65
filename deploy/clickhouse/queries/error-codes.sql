-- Why did runs fail or get interrupted, and for how many people?
-- Parameters: since (Date, first day), until (Date, first day that no longer counts).
-- Columns:
--   error_code      why, a fixed word, the most frequent first; empty for runs that ended before the ledger had the code
--   model_id        model
--   runs            runs of the model that ended so
--   end_users       end users who had such a run
--   api_keys        keys that had such a run
--   last_at         when the last such run was accepted, UTC
SELECT
  error_code,
  model_id,
  count() AS runs,
  uniqExactIf((api_key_id, end_user), end_user != '') AS end_users,
  uniqExact(api_key_id) AS api_keys,
  max(ts) AS last_at
FROM usage.run_v3
WHERE status IN ('failed', 'interrupted') AND jakarta_day >= {since:Date} AND jakarta_day < {until:Date}
GROUP BY error_code, model_id
ORDER BY runs DESC, error_code, model_id
