import { initial } from './011-initial.ts';
import { dailyResults } from './013-daily-results.ts';

export const migrations = { '011_initial': initial, '013_daily_results': dailyResults };

/** Every table that they create. A backup leaves out a table that is missing here. */
export const tables = [
  'backfill',
  'backfill_page',
  'daily_result',
  'idempotency_key',
  'record_entry',
  'run',
  'submission',
];
