-- Which versions of the market are there, how old are they, and how many runs came while each was the newest?
-- The ledger does not name the version of a run: a run counts for the version that was the newest when it was accepted.
-- Columns:
--   version         version of the dataset, the newest first
--   kind            real or synthetic
--   broker_data     none, real or synthetic
--   first_date      first trading day
--   last_date       last trading day
--   tickers         stocks
--   published_at    since when it has been in use, UTC
--   replaced_at     until when, UTC; NULL of the newest
--   runs            runs accepted in that time
SELECT
  d.version AS version,
  d.kind AS kind,
  d.broker_data AS broker_data,
  d.first_date AS first_date,
  d.last_date AS last_date,
  d.tickers AS tickers,
  d.published_at AS published_at,
  d.replaced_at AS replaced_at,
  r.runs AS runs
FROM
(
  SELECT
    *,
    any(toNullable(published_at)) OVER (ORDER BY published_at, version ROWS BETWEEN 1 FOLLOWING AND 1 FOLLOWING)
      AS replaced_at
  FROM market.dataset
) AS d
LEFT JOIN
(
  SELECT version, count() AS runs
  FROM (SELECT ts, 1 AS always FROM usage.run_v2) AS run
  ASOF JOIN (SELECT version, published_at, 1 AS always FROM market.dataset) AS newest
    ON run.always = newest.always AND run.ts >= newest.published_at
  GROUP BY version
) AS r ON r.version = d.version
ORDER BY published_at DESC, version DESC
