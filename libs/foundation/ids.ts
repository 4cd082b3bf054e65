import { randomBytes, createHmac } from 'node:crypto';

/** The prefixes of ids. An id is its prefix, an underscore and 24 hex digits (96 random bits). */
type IdPrefix =
  | 'job'
  | 'ue'
  | 'req'
  | 'cs'
  | 'key'
  | 'key_test'
  | 'sch'
  | 'bf'
  | 'scr'
  | 'wl'
  | 'wh'
  | 'del'
  | 'evt'
  | 'ses';

/** Source of new ids. Tests pass their own. */
export type IdSource = (prefix: IdPrefix) => string;

const ID_BYTES = 12;
/** Random bytes are fetched in bulk: fetching them for each id would cost more than the other bookkeeping of a request. */
const POOLED_IDS = 256;

let pool = Buffer.alloc(0);
let used = 0;

export const randomId: IdSource = (prefix) => {
  if (used === pool.length) {
    pool = randomBytes(ID_BYTES * POOLED_IDS);
    used = 0;
  }
  used += ID_BYTES;
  return `${prefix}_${pool.toString('hex', used - ID_BYTES, used)}`;
};

const ID_LENGTH = 16;

/** An id of a pepper that reveals nothing about it. Shows which pepper a secret was hashed under. */
export function pepperId(pepper: string): string {
  return createHmac('sha256', pepper).update('saring pepper id').digest('hex').slice(0, ID_LENGTH);
}
