import { initial } from './011-initial.ts';
import { outbox } from './012-outbox.ts';
import { dailyResults } from './013-daily-results.ts';
import { simulations } from './014-simulations.ts';

export const migrations = {
  '011_initial': initial,
  '012_outbox': outbox,
  '013_daily_results': dailyResults,
  '014_simulations': simulations,
};

/** Every table that they create. A backup leaves out a table that is missing here. */
export const tables = [
  'backfill',
  'backfill_page',
  'daily_result',
  'idempotency_key',
  'outbox',
  'record_entry',
  'run',
  'submission',
];
