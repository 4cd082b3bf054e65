-- How often does each model succeed without picking any stock?
-- Runs on real and on synthetic data are counted apart.
-- Parameters: since (Date, first day), until (Date, first day that no longer counts).
-- Columns:
--   model_id        model, the emptiest first
--   dataset_kind    real or synthetic; empty for runs that ended before the ledger had the kind
--   succeeded       runs that succeeded
--   empty_results   of these, runs that picked nothing
--   empty_pct       empty_results in per cent of succeeded
SELECT
  model_id,
  dataset_kind,
  count() AS succeeded,
  countIf(pick_count = 0) AS empty_results,
  round(100 * empty_results / succeeded, 1) AS empty_pct
FROM usage.run_v3
WHERE status = 'succeeded' AND jakarta_day >= {since:Date} AND jakarta_day < {until:Date}
GROUP BY model_id, dataset_kind
ORDER BY empty_pct DESC, model_id, dataset_kind
