import { initial } from './003-initial.ts';
import { endUserErasure } from './004-end-user-erasure.ts';

export const migrations = { '003_initial': initial, '004_end_user_erasure': endUserErasure };

/** Every table that they create. A backup leaves out a table that is missing here. */
export const tables = ['consent_record', 'end_user_erasure', 'idempotency', 'submission'];
