-- Which dataset versions exist, when was each one served, and how many runs read it?
-- Runs that ended without a dataset, or before the ledger had the version, count for none.
-- Columns:
--   version         version of the dataset, the newest first
--   kind            real or synthetic
--   broker_data     none, real or synthetic
--   first_date      first trading day
--   last_date       last trading day
--   tickers         stocks
--   published_at    when it was imported, UTC
--   served_from     when it was last put into service, UTC; NULL if it never was
--   served_until    end of that time, UTC; NULL for the version being served
--   runs            runs that read it
SELECT
  d.version AS version,
  d.kind AS kind,
  d.broker_data AS broker_data,
  d.first_date AS first_date,
  d.last_date AS last_date,
  d.tickers AS tickers,
  d.published_at AS published_at,
  s.served_from AS served_from,
  s.served_until AS served_until,
  r.runs AS runs
FROM market.dataset AS d
LEFT JOIN
(
  SELECT version, max(toNullable(served_at)) AS served_from, argMax(tuple(next_at), served_at).1 AS served_until
  FROM
  (
    SELECT
      version,
      served_at,
      any(toNullable(served_at)) OVER (ORDER BY served_at ROWS BETWEEN 1 FOLLOWING AND 1 FOLLOWING) AS next_at
    FROM market.served
  )
  GROUP BY version
) AS s ON s.version = d.version
LEFT JOIN
(
  SELECT dataset_version AS version, count() AS runs
  FROM usage.run_v3
  GROUP BY version
) AS r ON r.version = d.version
ORDER BY published_at DESC, version DESC
