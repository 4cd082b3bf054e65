import { initial } from './011-initial.ts';

export const migrations = { '011_initial': initial };

/** Every table that they create. A backup leaves out a table that is missing here. */
export const tables = ['backfill', 'backfill_page', 'idempotency_key', 'record_entry', 'run', 'submission'];
