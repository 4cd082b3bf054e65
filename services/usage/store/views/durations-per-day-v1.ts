import { analystView } from './analyst-view.ts';
import { JAKARTA_DAY, MODEL_ID } from './view-columns.ts';

/**
 * Quantiles are exact, interpolated between the two nearest runs (inclusive: p0 is the shortest run, p100 the longest).
 * Runs that ended before a worker began them are left out: their duration is 0 and would make a model look fast.
 */
export const durationsPerDayV1 = analystView({
  name: 'durations_per_day_v1',
  comment:
    'How long runs took a day and a model: those that a worker began and that ended, however they ended.',
  columns: {
    jakarta_day: JAKARTA_DAY,
    model_id: MODEL_ID,
    ended_runs: ['UInt64', 'runs that ended after a worker had begun them'],
    mean_seconds: ['Float64', 'their mean duration'],
    p50_seconds: ['Float64', 'half of them took no longer'],
    p90_seconds: ['Float64', 'nine of ten took no longer'],
    p99_seconds: ['Float64', 'ninety-nine of a hundred took no longer'],
    max_seconds: ['Float64', 'the longest'],
  },
  select: `SELECT
      jakarta_day,
      model_id,
      count() AS ended_runs,
      avg(duration_seconds) AS mean_seconds,
      quantileExactInclusive(0.5)(duration_seconds) AS p50_seconds,
      quantileExactInclusive(0.9)(duration_seconds) AS p90_seconds,
      quantileExactInclusive(0.99)(duration_seconds) AS p99_seconds,
      max(duration_seconds) AS max_seconds
    FROM usage.run_v2
    WHERE status != 'started' AND duration_seconds > 0
    GROUP BY jakarta_day, model_id`,
});
