-- Which stocks were picked most in a period, by which models and for how many people?
-- Parameters: since (Date, first day), until (Date, first day that no longer counts).
-- Columns:
--   ticker          stock, the most picked first; at most 50
--   runs            runs that picked it
--   models          models that picked it, in alphabetical order
--   mean_rank       its mean place in these runs; 1 is the best
--   end_users       end users whose runs picked it
--   api_keys        keys whose runs picked it
--   last_target_date  latest trading day for which it was picked
SELECT
  ticker,
  count() AS runs,
  arraySort(groupUniqArray(toString(model_id))) AS models,
  round(avg(rank), 1) AS mean_rank,
  uniqExactIf((api_key_id, end_user), end_user != '') AS end_users,
  uniqExact(api_key_id) AS api_keys,
  max(target_date) AS last_target_date
FROM usage.pick_v1
WHERE jakarta_day >= {since:Date} AND jakarta_day < {until:Date}
GROUP BY ticker
ORDER BY runs DESC, ticker
LIMIT 50
