-- Which dataset versions exist, when was each one served, and how many runs were accepted in that time?
-- The ledger does not name the version of a run: a run counts for the version that was served when it was accepted.
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
--   runs            runs accepted while it was served, at any time
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
  SELECT version, count() AS runs
  FROM (SELECT ts, 1 AS always FROM usage.run_v2) AS run
  ASOF JOIN (SELECT version, served_at, 1 AS always FROM market.served) AS served
    ON run.always = served.always AND run.ts >= served.served_at
  GROUP BY version
) AS r ON r.version = d.version
ORDER BY published_at DESC, version DESC
