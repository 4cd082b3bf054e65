-- Which parameter values are models actually run with?
-- Parameters: since (Date, first day), until (Date, first day that no longer counts).
-- Columns:
--   model_id        model
--   parameter       name of a parameter; analysis_date is left out
--   value           its value as JSON, the most frequent first; at most 10 of each parameter
--   runs            runs with this value
--   end_users       end users who chose it
SELECT
  model_id,
  choice.1 AS parameter,
  choice.2 AS value,
  count() AS runs,
  uniqExactIf((api_key_id, end_user), end_user != '') AS end_users
FROM usage.run_v2
ARRAY JOIN JSONExtractKeysAndValuesRaw(params) AS choice
WHERE parameter != 'analysis_date' AND jakarta_day >= {since:Date} AND jakarta_day < {until:Date}
GROUP BY model_id, parameter, value
ORDER BY model_id, parameter, runs DESC, value
LIMIT 10 BY model_id, parameter
