import { expect, test } from 'vitest';
import { ERROR_TABLE } from './error-codes.ts';
import { ServiceError, toServiceError } from './service-error.ts';

test.each([
  [401, ['missing_api_key', 'invalid_api_key']],
  [403, ['key_disabled', 'insufficient_scope']],
  [404, ['model_not_found', 'job_not_found', 'not_found', 'usage_event_not_found']],
  [400, ['invalid_end_user']],
  [
    422,
    ['missing_end_user', 'invalid_request', 'invalid_cursor', 'too_many_tickers', 'consent_not_accepted'],
  ],
  [409, ['stale_document_version']],
  [429, ['rate_limited']],
  [500, ['internal_error']],
  [
    503,
    [
      'data_unavailable',
      'model_unavailable',
      'usage_unavailable',
      'consent_unavailable',
      'consent_write_failed',
    ],
  ],
] as const)('the contract’s error codes for HTTP %i have that status', (http, codes) => {
  for (const code of codes) expect(ERROR_TABLE[code].http).toBe(http);
});

test('an unexpected error becomes internal_error and does not reveal its cause', () => {
  const cause = new Error('password=hunter2');
  const error = toServiceError(cause);
  expect(error).toBeInstanceOf(ServiceError);
  expect(error.code).toBe('internal_error');
  expect(error.cause).toBe(cause);
  expect(error.message).not.toContain('hunter2');
});
