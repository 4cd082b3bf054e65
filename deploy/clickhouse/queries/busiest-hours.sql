-- How many runs arrive at each hour of the week, and how much worker time do they need? Use it to size the workers.
-- Parameters: since (Date, first day), until (Date, first day that no longer counts).
-- Columns:
--   weekday         1 is Monday, in Asia/Jakarta
--   hour            0 to 23, in Asia/Jakarta
--   runs            runs accepted in that hour, summed over all such weekdays
--   busiest_hour_runs  runs of the single busiest of these hours
--   compute_seconds time that workers spent on these runs
SELECT
  weekday,
  hour,
  sum(h.runs) AS runs,
  max(h.runs) AS busiest_hour_runs,
  round(sum(h.seconds), 1) AS compute_seconds
FROM
(
  SELECT
    toStartOfHour(toTimeZone(ts, 'Asia/Jakarta')) AS begins,
    toDayOfWeek(begins) AS weekday,
    toHour(begins) AS hour,
    count() AS runs,
    sum(duration_seconds) AS seconds
  FROM usage.run_v2
  WHERE jakarta_day >= {since:Date} AND jakarta_day < {until:Date}
  GROUP BY begins
) AS h
GROUP BY weekday, hour
ORDER BY weekday, hour
