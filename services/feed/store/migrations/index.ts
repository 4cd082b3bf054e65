import { initial } from './001-initial.ts';
import { askedAt } from './002-asked-at.ts';

export const migrations = { '001_initial': initial, '002_asked_at': askedAt };

/** Every table that they create. A backup leaves out a table that is missing here. */
export const tables = ['fetch_log', 'source'];
