-- How did the prices of the picks develop afterwards, compared with the whole market over the same time?
-- A stock that a model picked for a day counts once, however many runs picked it. Prices are from the served dataset, and only
-- picks from data of its kind are judged by them. Runs that ended before the ledger had the kind are left out.
-- A return is from the close of the analysed day to the close `days` trading days later, without costs and adjusted for
-- splits like the models' own prices. Picks for which that day has not come yet are left out.
-- Parameters: since (Date, first analysed day), until (Date, first day that no longer counts), days (UInt16, trading days).
-- Columns:
--   model_id        model
--   dataset_kind    real or synthetic, the kind of the served dataset
--   picks           stock-days picked
--   mean_pct        mean return of these in per cent
--   median_pct      median return in per cent
--   risen_pct       share of them that rose, in per cent
--   market_pct      mean return of all stocks, in per cent, over the same days, weighted like the picks
WITH
  (SELECT version FROM market.served ORDER BY served_at DESC LIMIT 1) AS served,
  (SELECT kind FROM market.dataset WHERE version = served LIMIT 1) AS served_kind,
  trading_days AS
  (
    SELECT date, toInt64(row_number() OVER (ORDER BY date)) AS day
    FROM (SELECT DISTINCT date FROM market.daily_bar WHERE dataset_version = served AND date >= {since:Date})
  ),
  levels AS
  (
    SELECT
      ticker,
      day,
      date,
      log(close) - sum(log(factor)) OVER (PARTITION BY ticker ORDER BY date) AS level
    FROM market.daily_bar
    INNER JOIN trading_days USING (date)
    WHERE dataset_version = served AND date >= {since:Date}
  ),
  returns AS
  (
    SELECT
      ticker,
      date,
      exp(later.level - level) - 1 AS gain,
      avg(gain) OVER (PARTITION BY date) AS market_gain
    FROM levels
    INNER JOIN
    (
      SELECT ticker, day - {days:UInt16} AS day, level FROM levels
    ) AS later USING (ticker, day)
    WHERE date >= {since:Date} AND date < {until:Date}
  )
SELECT
  model_id,
  served_kind AS dataset_kind,
  count() AS picks,
  round(100 * avg(gain), 2) AS mean_pct,
  round(100 * quantileExactInclusive(0.5)(gain), 2) AS median_pct,
  round(100 * avg(gain > 0), 1) AS risen_pct,
  round(100 * avg(market_gain), 2) AS market_pct
FROM
(
  SELECT DISTINCT model_id, ticker, assumeNotNull(target_date) AS date
  FROM usage.pick_v2
  WHERE dataset_kind = served_kind AND target_date >= {since:Date} AND target_date < {until:Date}
) AS picked
INNER JOIN returns USING (ticker, date)
GROUP BY model_id
ORDER BY model_id
