import { END_USER_RULE, isEndUser } from '#shared/end-user.ts';
import { ServiceError, type ErrorCode, type FieldErrorType } from '#shared/service-error.ts';

export { END_USER_PATTERN } from '#shared/end-user.ts';

/** The end user a request asserts. */
export function endUserOf(header: string | string[] | undefined): string {
  const value = Array.isArray(header) ? header.join(', ') : header;
  if (value === undefined || value === '') {
    throw endUserError('missing_end_user', 'must be sent with this request', 'missing');
  }
  if (!isEndUser(value)) throw endUserError('invalid_end_user', END_USER_RULE, 'string_pattern_mismatch');
  return value;
}

function endUserError(code: ErrorCode, msg: string, type: FieldErrorType): ServiceError {
  const detail = [{ loc: ['header', 'X-End-User'], msg, type }];
  return new ServiceError(code, `X-End-User: ${msg}`, { detail });
}
