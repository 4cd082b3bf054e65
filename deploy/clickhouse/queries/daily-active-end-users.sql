-- How many people use the service each day, and in the 7 and 30 days ending that day?
-- An end user id belongs to its key: the same id under two keys counts as two people.
-- Parameters: since (Date, first day), until (Date, first day that no longer counts).
-- Columns:
--   jakarta_day     day in Asia/Jakarta; every day of the period with a run in the 30 days that end with it
--   daily           end users with a run on that day
--   weekly          end users with a run on that day or the 6 before
--   monthly         end users with a run on that day or the 29 before
--   daily_of_monthly  daily divided by monthly, 0 to 1: how often active end users come
SELECT
  seen_day + days_later AS jakarta_day,
  uniqExactIf(person, days_later = 0) AS daily,
  uniqExactIf(person, days_later < 7) AS weekly,
  uniqExact(person) AS monthly,
  round(daily / monthly, 3) AS daily_of_monthly
FROM
(
  SELECT DISTINCT jakarta_day AS seen_day, cityHash64(api_key_id, end_user) AS person
  FROM usage.run_v2
  WHERE end_user != '' AND jakarta_day > {since:Date} - 30 AND jakarta_day < {until:Date}
)
ARRAY JOIN range(30) AS days_later
WHERE jakarta_day >= {since:Date} AND jakarta_day < {until:Date}
GROUP BY jakarta_day
ORDER BY jakarta_day
