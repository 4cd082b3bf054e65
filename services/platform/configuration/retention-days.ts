import { integer } from './config.ts';

/** A century: more is a mistake for 0, which keeps things for ever where a service allows that. */
export const MOST_RETENTION_DAYS = 36_500;

/** A setting of the days for which a service keeps something, such as `USAGE_RETENTION_DAYS`. */
export const retentionDays = ({ least = 0 } = {}) => integer({ min: least, max: MOST_RETENTION_DAYS });
