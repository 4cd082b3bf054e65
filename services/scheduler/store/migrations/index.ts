import { initial } from './002-initial.ts';

export const migrations = { '002_initial': initial };

/** Every table that they create. A backup leaves out a table that is missing here. */
export const tables = ['firing', 'schedule', 'schedule_place'];
