import { initial } from './001-initial.ts';

export const migrations = { '001_initial': initial };

/** Every table that they create. A backup leaves out a table that is missing here. */
export const tables = ['event', 'event_sequence', 'webhook', 'delivery', 'attempt'];
