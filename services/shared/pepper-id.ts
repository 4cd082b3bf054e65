import { createHmac } from 'node:crypto';

const ID_LENGTH = 16;

/** Names a pepper without saying anything of it, so that a key can be known whose secret was hashed under another one. */
export function pepperId(pepper: string): string {
  return createHmac('sha256', pepper).update('saring pepper id').digest('hex').slice(0, ID_LENGTH);
}
