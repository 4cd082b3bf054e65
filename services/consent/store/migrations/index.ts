import { consentRecord } from './001-consent-record.ts';
import { idempotency } from './002-idempotency.ts';
import { submission } from './003-submission.ts';

export const migrations = {
  '001_consent_record': consentRecord,
  '002_idempotency': idempotency,
  '003_submission': submission,
};

/** Every table that they create. A backup leaves out a table that is missing here. */
export const tables = ['consent_record', 'idempotency', 'submission'];
