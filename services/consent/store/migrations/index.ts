import { initial } from './003-initial.ts';

export const migrations = { '003_initial': initial };

/** Every table that they create. A backup leaves out a table that is missing here. */
export const tables = ['consent_record', 'idempotency', 'submission'];
