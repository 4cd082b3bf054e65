import type { ErrorCode } from '#foundation/errors/error-codes.ts';
import { ServiceError, type FieldErrorType } from '#foundation/errors/service-error.ts';
import { rulesOfKind } from '#platform/wire/descriptors.ts';

const { pattern, form } = rulesOfKind('END_USER');

/** The form of an end-user id, wherever it comes from. */
export const END_USER_PATTERN = pattern;
const END_USER = new RegExp(pattern);

/**
 * The end user that a request names.
 * @throws ServiceError missing_end_user or invalid_end_user.
 */
export function endUserOf(header: string | string[] | undefined): string {
  const value = Array.isArray(header) ? header.join(', ') : header;
  if (value === undefined || value === '') {
    throw endUserError('missing_end_user', 'must be sent with this request', 'missing');
  }
  if (!END_USER.test(value))
    throw endUserError('invalid_end_user', `must be ${form}`, 'string_pattern_mismatch');
  return value;
}

function endUserError(code: ErrorCode, msg: string, type: FieldErrorType): ServiceError {
  const detail = [{ loc: ['header', 'X-End-User'], msg, type }];
  return new ServiceError(code, `X-End-User: ${msg}`, { detail });
}
