import { hash } from 'node:crypto';
import { canonicalJson } from '#foundation/text/canonical-json.ts';
import { rulesOfKind } from './descriptors.ts';
import { ServiceError, type FieldError } from '#foundation/errors/service-error.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

const { pattern, form } = rulesOfKind('IDEMPOTENCY_KEY');
/** The keys that a client may choose. */
export const IDEMPOTENCY_KEY_PATTERN = pattern;
const IDEMPOTENCY_KEY = new RegExp(pattern);
/** A key older than this has expired. */
export const IDEMPOTENCY_KEPT_MS = DAY_MS;

/** What is wrong with a key, if anything; `loc` says where the client sent it. */
export function idempotencyKeyMistake(key: string, loc: FieldError['loc']): FieldError | undefined {
  if (IDEMPOTENCY_KEY.test(key)) return undefined;
  return { loc, msg: `must be ${form}`, type: 'string_pattern_mismatch', input: key, ctx: { pattern } };
}

/**
 * Identifies equal requests: the SHA-256, in hex, of the canonical JSON of everything that the request asks for. Ignores the
 * order of members and members that are undefined. The order of items in a list counts.
 */
export function fingerprintOf(request: Readonly<Record<string, unknown>>): string {
  return hash('sha256', canonicalJson(request), 'hex');
}

/** The failure that means that this key was already used for another request. */
export function idempotencyConflict(): ServiceError {
  return new ServiceError(
    'idempotency_conflict',
    'This Idempotency-Key was used within 24 hours for another request. Send a new key with a new request.',
  );
}
