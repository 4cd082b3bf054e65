import { randomBytes } from 'node:crypto';

/** The id families of the service; each id is its prefix, an underscore and 24 hex digits (96 random bits). */
export type IdPrefix = 'job' | 'ue' | 'req' | 'cs' | 'key';

/** Where a part gets new ids from; tests pass their own. */
export type IdSource = (prefix: IdPrefix) => string;

export const randomId: IdSource = (prefix) => `${prefix}_${randomBytes(12).toString('hex')}`;
