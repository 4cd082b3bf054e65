import { analystView } from './analyst-view.ts';
import {
  CHANNEL,
  EMPTY_RESULTS,
  FAILED,
  INTERRUPTED,
  JAKARTA_DAY,
  MODEL_ID,
  RUNS,
  STARTED,
  STATUS_COUNTS,
  SUCCEEDED,
} from './view-columns.ts';

export const runsPerDayV1 = analystView({
  name: 'runs_per_day_v1',
  comment: 'How many runs a day, a model and a channel, and what became of them.',
  columns: {
    jakarta_day: JAKARTA_DAY,
    model_id: MODEL_ID,
    channel: CHANNEL,
    runs: RUNS,
    started: STARTED,
    succeeded: SUCCEEDED,
    failed: FAILED,
    interrupted: INTERRUPTED,
    empty_results: EMPTY_RESULTS,
  },
  select: `SELECT
      jakarta_day,
      model_id,
      channel,
      count() AS runs,
      ${STATUS_COUNTS},
      countIf(status = 'succeeded' AND pick_count = 0) AS empty_results
    FROM usage.run_v2
    GROUP BY jakarta_day, model_id, channel`,
});
