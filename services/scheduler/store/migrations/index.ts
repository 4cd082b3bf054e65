import { schedule } from './001-schedule.ts';

export const migrations = { '001_schedule': schedule };
