import { status } from '@grpc/grpc-js';

/**
 * Every failure that a caller can branch on: the stable code, its gRPC status and its HTTP status. The contract's codes come
 * first; the last seven are this service's own additions.
 */
export const ERROR_TABLE = {
  missing_api_key: { grpc: status.UNAUTHENTICATED, http: 401 },
  invalid_api_key: { grpc: status.UNAUTHENTICATED, http: 401 },
  key_disabled: { grpc: status.PERMISSION_DENIED, http: 403 },
  insufficient_scope: { grpc: status.PERMISSION_DENIED, http: 403 },
  model_not_found: { grpc: status.NOT_FOUND, http: 404 },
  job_not_found: { grpc: status.NOT_FOUND, http: 404 },
  not_found: { grpc: status.NOT_FOUND, http: 404 },
  usage_event_not_found: { grpc: status.NOT_FOUND, http: 404 },
  invalid_end_user: { grpc: status.INVALID_ARGUMENT, http: 400 },
  missing_end_user: { grpc: status.INVALID_ARGUMENT, http: 422 },
  invalid_request: { grpc: status.INVALID_ARGUMENT, http: 422 },
  invalid_cursor: { grpc: status.INVALID_ARGUMENT, http: 422 },
  too_many_tickers: { grpc: status.INVALID_ARGUMENT, http: 422 },
  consent_not_accepted: { grpc: status.FAILED_PRECONDITION, http: 422 },
  stale_document_version: { grpc: status.FAILED_PRECONDITION, http: 409 },
  rate_limited: { grpc: status.RESOURCE_EXHAUSTED, http: 429 },
  internal_error: { grpc: status.INTERNAL, http: 500 },
  data_unavailable: { grpc: status.UNAVAILABLE, http: 503 },
  model_unavailable: { grpc: status.UNAVAILABLE, http: 503 },
  usage_unavailable: { grpc: status.UNAVAILABLE, http: 503 },
  consent_unavailable: { grpc: status.UNAVAILABLE, http: 503 },
  consent_write_failed: { grpc: status.UNAVAILABLE, http: 503 },
  idempotency_conflict: { grpc: status.ALREADY_EXISTS, http: 409 },
  method_not_allowed: { grpc: status.UNIMPLEMENTED, http: 405 },
  payload_too_large: { grpc: status.INVALID_ARGUMENT, http: 413 },
  operator_token_required: { grpc: status.UNAUTHENTICATED, http: 401 },
  caller_identity_required: { grpc: status.UNAUTHENTICATED, http: 401 },
  caller_not_allowed: { grpc: status.PERMISSION_DENIED, http: 403 },
  import_rejected: { grpc: status.FAILED_PRECONDITION, http: 422 },
} as const satisfies Record<string, { grpc: status; http: number }>;

export type ErrorCode = keyof typeof ERROR_TABLE;

/** The kinds of mistakes in an input, the same for every check. */
export const FIELD_ERROR_TYPES = [
  'missing',
  'extra_forbidden',
  'multiple_values',
  'json_invalid',
  'int_type',
  'float_type',
  'bool_type',
  'string_type',
  'list_type',
  'dict_type',
  'date_parsing',
  'datetime_parsing',
  'enum',
  'greater_than_equal',
  'less_than_equal',
  'string_too_short',
  'string_too_long',
  'string_pattern_mismatch',
  'too_short',
  'too_long',
  /** Any other mistake. */
  'value_error',
] as const;

/** `dataset_shrinks` only occurs in imports, which are not part of the REST API. */
export type FieldErrorType = (typeof FIELD_ERROR_TYPES)[number] | 'dataset_shrinks';

/** What is wrong with one field of the input, in the shape of the contract's `detail` items. */
export interface FieldError {
  /** The part of the request and the path in it, for example `['body', 'params', 'lookback']`. */
  loc: (string | number)[];
  msg: string;
  type: FieldErrorType;
  /** The value that was sent. */
  input?: unknown;
  ctx?: Record<string, unknown>;
}

/** The only error that crosses service boundaries: thrown where the failure is understood, converted once at each boundary. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly detail: FieldError[];
  /** Whether the requested work may have been done although the call failed. */
  readonly isInDoubt: boolean;

  constructor(
    code: ErrorCode,
    message: string,
    options: { detail?: FieldError[]; cause?: unknown; isInDoubt?: boolean } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.detail = options.detail ?? [];
    this.isInDoubt = options.isInDoubt ?? false;
  }

  get httpStatus(): number {
    return ERROR_TABLE[this.code].http;
  }

  get grpcStatus(): status {
    return ERROR_TABLE[this.code].grpc;
  }
}

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERROR_TABLE, value);
}

/** Converts anything thrown into a ServiceError. An unexpected error becomes `internal_error` and reveals nothing. */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  return new ServiceError(
    'internal_error',
    'Something went wrong on our side. The request id finds it in the log.',
    {
      cause: thrown,
    },
  );
}
