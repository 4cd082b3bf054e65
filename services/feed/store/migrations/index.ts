import { initial } from './001-initial.ts';
import { lateDays } from './002-late-days.ts';

export const migrations = { '001_initial': initial, '002_late_days': lateDays };

/** Every table that they create. A backup leaves out a table that is missing here. */
export const tables = ['fetch_log', 'late_day', 'outbox', 'source'];
