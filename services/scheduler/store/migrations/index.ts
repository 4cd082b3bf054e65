import { schedule } from './001-schedule.ts';
import { markets } from './002-markets.ts';

export const migrations = { '001_schedule': schedule, '002_markets': markets };

/** Every table that they create. A backup leaves out a table that is missing here. */
export const tables = ['firing', 'schedule', 'schedule_place'];
