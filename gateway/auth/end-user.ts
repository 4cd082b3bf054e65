import { ServiceError, type ErrorCode } from '#shared/service-error.ts';

export const END_USER_PATTERN = '^[A-Za-z0-9._-]{1,64}$';
const END_USER = new RegExp(END_USER_PATTERN);

/** The end user a request asserts. */
export function endUserOf(header: string | string[] | undefined): string {
  const value = Array.isArray(header) ? header.join(', ') : header;
  if (value === undefined || value === '') {
    throw endUserError('missing_end_user', 'must be sent with this request', 'missing');
  }
  if (!END_USER.test(value)) {
    const msg = 'must have 1 to 64 characters out of A-Z, a-z, 0-9, dot, underscore and hyphen';
    throw endUserError('invalid_end_user', msg, 'string_pattern_mismatch');
  }
  return value;
}

function endUserError(code: ErrorCode, msg: string, type: string): ServiceError {
  const detail = [{ loc: ['header', 'X-End-User'], msg, type }];
  return new ServiceError(code, `X-End-User: ${msg}`, { detail });
}
