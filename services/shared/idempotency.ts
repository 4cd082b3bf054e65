import { hash } from 'node:crypto';
import { canonicalJson } from './text/canonical-json.ts';
import { rulesOfKind } from './wire/descriptors.ts';
import { ServiceError, type FieldError } from './service-error.ts';

const { pattern, form } = rulesOfKind('IDEMPOTENCY_KEY');
/** What a client may choose as its key. */
export const IDEMPOTENCY_KEY_PATTERN = pattern;
const IDEMPOTENCY_KEY = new RegExp(pattern);
/** A key that is older than this is as if never seen. */
export const IDEMPOTENCY_KEPT_MS = 24 * 3_600_000;

/** What is wrong with a key, if anything; `loc` says where it was sent. */
export function idempotencyKeyMistake(key: string, loc: FieldError['loc']): FieldError | undefined {
  if (IDEMPOTENCY_KEY.test(key)) return undefined;
  return { loc, msg: `must be ${form}`, type: 'string_pattern_mismatch', input: key, ctx: { pattern } };
}

/**
 * What makes two requests the same: SHA-256, in hex, over canonical JSON of everything that says what is asked for.
 * The order of members does not count, nor do those that are undefined; that of items in a list does.
 */
export function fingerprintOf(request: Readonly<Record<string, unknown>>): string {
  return hash('sha256', canonicalJson(request), 'hex');
}

/** The failure that means: this key began something else. */
export function idempotencyConflict(): ServiceError {
  return new ServiceError(
    'idempotency_conflict',
    'This Idempotency-Key was used within 24 hours for another request. Send a new key with a new request.',
  );
}
