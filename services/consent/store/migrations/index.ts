import { consentRecord } from './001-consent-record.ts';
import { idempotency } from './002-idempotency.ts';

export const migrations = { '001_consent_record': consentRecord, '002_idempotency': idempotency };
