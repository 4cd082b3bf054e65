-- Which stocks were picked most in a period, by which models and for how many people?
-- Picks from real and from synthetic data are counted apart.
-- Parameters: since (Date, first day), until (Date, first day that no longer counts).
-- Columns:
--   dataset_kind    real or synthetic; empty for runs that ended before the ledger had the kind
--   ticker          stock, the most picked first; at most 50 of each kind
--   runs            runs that picked it
--   models          models that picked it, in alphabetical order
--   mean_rank       its mean place in these runs; 1 is the best
--   end_users       end users whose runs picked it
--   api_keys        keys whose runs picked it
--   last_target_date  latest trading day for which it was picked
SELECT
  dataset_kind,
  ticker,
  count() AS runs,
  arraySort(groupUniqArray(toString(model_id))) AS models,
  round(avg(rank), 1) AS mean_rank,
  uniqExactIf((api_key_id, end_user), end_user != '') AS end_users,
  uniqExact(api_key_id) AS api_keys,
  max(target_date) AS last_target_date
FROM usage.pick_v2
WHERE jakarta_day >= {since:Date} AND jakarta_day < {until:Date}
GROUP BY dataset_kind, ticker
ORDER BY dataset_kind, runs DESC, ticker
LIMIT 50 BY dataset_kind
