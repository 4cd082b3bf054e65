import { randomBytes, createHmac } from 'node:crypto';

/** The id families of the service; each id is its prefix, an underscore and 24 hex digits (96 random bits). */
type IdPrefix = 'job' | 'ue' | 'req' | 'cs' | 'key' | 'sch' | 'bf';

/** Where a part gets new ids from; tests pass their own. */
export type IdSource = (prefix: IdPrefix) => string;

const ID_BYTES = 12;
/** Asking the system for each id alone would cost more than the rest of a request's bookkeeping. */
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

/** Names a pepper without saying anything of it, so that a key can be known whose secret was hashed under another one. */
export function pepperId(pepper: string): string {
  return createHmac('sha256', pepper).update('saring pepper id').digest('hex').slice(0, ID_LENGTH);
}
