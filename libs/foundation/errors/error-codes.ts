import { status } from '@grpc/grpc-js';

interface ErrorRow {
  grpc: status;
  http: number;
  /** For clients, as the reference shows it. */
  meaning: string;
}

/**
 * Every failure that a caller can branch on: the stable code, its gRPC status, its HTTP status and its meaning. The contract's
 * codes come first; the last fourteen are this service's own additions.
 */
export const ERROR_TABLE = {
  missing_api_key: {
    grpc: status.UNAUTHENTICATED,
    http: 401,
    meaning: 'Neither Authorization nor X-API-Key was sent.',
  },
  invalid_api_key: { grpc: status.UNAUTHENTICATED, http: 401, meaning: 'The key is unknown or revoked.' },
  key_disabled: { grpc: status.PERMISSION_DENIED, http: 403, meaning: 'The key exists but is disabled.' },
  insufficient_scope: {
    grpc: status.PERMISSION_DENIED,
    http: 403,
    meaning: 'The key lacks the scope of this endpoint.',
  },
  model_not_found: { grpc: status.NOT_FOUND, http: 404, meaning: 'No model has this id.' },
  job_not_found: {
    grpc: status.NOT_FOUND,
    http: 404,
    meaning: 'The id is wrong or too old, or the job belongs to another key.',
  },
  not_found: {
    grpc: status.NOT_FOUND,
    http: 404,
    meaning:
      'There is no data for the ticker or date, no such universe on the day, no model or explanation of the ' +
      'job, no such document or document version, no end user with this id, or no such path.',
  },
  usage_event_not_found: { grpc: status.NOT_FOUND, http: 404, meaning: 'The key has no event with this id.' },
  invalid_end_user: {
    grpc: status.INVALID_ARGUMENT,
    http: 400,
    meaning: 'X-End-User contains characters that are not allowed, or has more than 64 characters.',
  },
  missing_end_user: { grpc: status.INVALID_ARGUMENT, http: 422, meaning: 'X-End-User was not sent.' },
  invalid_request: {
    grpc: status.INVALID_ARGUMENT,
    http: 422,
    meaning: 'A parameter or field is unknown, of the wrong type, or out of bounds; `detail` lists each.',
  },
  invalid_cursor: {
    grpc: status.INVALID_ARGUMENT,
    http: 422,
    meaning: 'The cursor was not issued by this API for the same filters.',
  },
  too_many_tickers: {
    grpc: status.INVALID_ARGUMENT,
    http: 422,
    meaning: 'The request names more tickers than allowed, counting the members of universes.',
  },
  consent_not_accepted: { grpc: status.FAILED_PRECONDITION, http: 422, meaning: '`accepted` must be true.' },
  stale_document_version: {
    grpc: status.FAILED_PRECONDITION,
    http: 409,
    meaning: 'A newer version of the document is required.',
  },
  rate_limited: {
    grpc: status.RESOURCE_EXHAUSTED,
    http: 429,
    meaning:
      'The rate limit of this minute is used up, either of the key or, for requests without a key, of the ' +
      'address; or the key holds the maximum number of event streams, or too little of its budget of processor time is ' +
      'left for the request. Retry-After is the number of seconds to wait.',
  },
  internal_error: {
    grpc: status.INTERNAL,
    http: 500,
    meaning: 'An error on our side. Quote the request id when you contact us.',
  },
  data_unavailable: {
    grpc: status.UNAVAILABLE,
    http: 503,
    meaning:
      'The dataset, the keys service, the scheduler, screens or webhooks are temporarily unavailable. Try again.',
  },
  model_unavailable: {
    grpc: status.UNAVAILABLE,
    http: 503,
    meaning: 'The models service is temporarily unavailable. Try again.',
  },
  usage_unavailable: {
    grpc: status.UNAVAILABLE,
    http: 503,
    meaning: 'The usage ledger is temporarily unavailable. Try again.',
  },
  consent_unavailable: {
    grpc: status.UNAVAILABLE,
    http: 503,
    meaning: 'Consent is temporarily unavailable. Keep the consent gate closed.',
  },
  consent_write_failed: {
    grpc: status.UNAVAILABLE,
    http: 503,
    meaning: 'Consent was not recorded. Keep the consent gate closed.',
  },
  idempotency_conflict: {
    grpc: status.ALREADY_EXISTS,
    http: 409,
    meaning: 'The Idempotency-Key was used for a different request within the last 24 hours.',
  },
  method_not_allowed: {
    grpc: status.UNIMPLEMENTED,
    http: 405,
    meaning: 'The path exists, but not with this method. Allow lists the methods of the path.',
  },
  payload_too_large: { grpc: status.INVALID_ARGUMENT, http: 413, meaning: 'The request body is too large.' },
  csrf_token_required: {
    grpc: status.PERMISSION_DENIED,
    http: 403,
    meaning: 'A browser session changed something without its token, or with that of another session.',
  },
  origin_not_allowed: {
    grpc: status.PERMISSION_DENIED,
    http: 403,
    meaning: 'A page of this origin may not call the endpoint.',
  },
  operator_token_required: {
    grpc: status.UNAUTHENTICATED,
    http: 401,
    meaning: 'The endpoint needs the operator’s token, which was missing or wrong.',
  },
  caller_identity_required: {
    grpc: status.UNAUTHENTICATED,
    http: 401,
    meaning: 'The call needs the identity of a service that is allowed to make it.',
  },
  caller_not_allowed: {
    grpc: status.PERMISSION_DENIED,
    http: 403,
    meaning: 'The calling service is not allowed to make this call.',
  },
  screen_not_found: {
    grpc: status.NOT_FOUND,
    http: 404,
    meaning: 'The id or version is wrong, or the screen belongs to another key or end user.',
  },
  watchlist_not_found: {
    grpc: status.NOT_FOUND,
    http: 404,
    meaning:
      'The id is wrong, or the watchlist belongs to another key or end user; or the screen looks among the ' +
      'tickers of a watchlist that no longer exists.',
  },
  webhook_not_found: {
    grpc: status.NOT_FOUND,
    http: 404,
    meaning: 'The id is wrong, or the webhook or its delivery belongs to another key.',
  },
  stale_version: {
    grpc: status.FAILED_PRECONDITION,
    http: 409,
    meaning: 'The screen has another version by now. Read it again.',
  },
  unsupported_for_model_screen: {
    grpc: status.FAILED_PRECONDITION,
    http: 400,
    meaning:
      'The screen runs a model, and what was asked exists only for screens by rules: a day, columns, CSV, an explanation or changes.',
  },
  import_rejected: { grpc: status.FAILED_PRECONDITION, http: 422, meaning: 'The dataset was refused.' },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERROR_TABLE;

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERROR_TABLE, value);
}
