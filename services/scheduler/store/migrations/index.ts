import { initial } from './002-initial.ts';
import { behindSince } from './003-behind-since.ts';

export const migrations = { '002_initial': initial, '003_behind_since': behindSince };

/** Every table that they create. A backup leaves out a table that is missing here. */
export const tables = ['firing', 'schedule', 'schedule_place'];
