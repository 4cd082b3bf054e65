import { makeValidator } from 'envalid';
import { integer, rotatedSecret } from '#platform/configuration/config.ts';
import { MOST_RETENTION_DAYS } from '#platform/configuration/retention-days.ts';
import {
  callerSettings,
  grpcSettings,
  processSettings,
  natsSettings,
  operatorSettings,
  postgresSettings,
} from '#platform/configuration/settings.ts';

const MIN_AUDIT_DAYS = 30;

const auditDays = makeValidator<number>((text) => {
  const days = Number(text);
  if (Number.isInteger(days) && (days === 0 || (days >= MIN_AUDIT_DAYS && days <= MOST_RETENTION_DAYS)))
    return days;
  throw new Error(`must be 0, or a whole number from ${MIN_AUDIT_DAYS} to ${MOST_RETENTION_DAYS}`);
});

export const settings = {
  ...processSettings,
  ...grpcSettings,
  ...callerSettings,
  ...operatorSettings,
  ...natsSettings,
  ...postgresSettings,
  KEY_PEPPER: rotatedSecret({
    desc: 'pepper for the hashes of key secrets; several are separated by commas: the first makes new hashes, and all are accepted; a key whose pepper is missing is refused',
  }),
  DEFAULT_RATE_LIMIT: integer({ min: 1, max: 1_000_000 })({
    default: 60,
    desc: 'requests per minute of a key that was issued without its own limit',
  }),
  KEY_CHECKS_LAST_SECONDS: integer({ min: 0, max: 3_600 })({
    // A restart or a failover of PostgreSQL takes a minute or two.
    default: 600,
    desc: 'seconds for which a key that was checked goes on while PostgreSQL is unavailable; nobody can revoke a key then. 0 refuses all keys at once',
  }),
  KEY_AUDIT_RETENTION_DAYS: auditDays({
    default: 0,
    desc: `days to keep the audit of keys, at least ${MIN_AUDIT_DAYS}; 0 keeps it for ever`,
  }),
};
