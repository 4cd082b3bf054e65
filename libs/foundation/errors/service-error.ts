import type { status } from '@grpc/grpc-js';
import { ERROR_TABLE, type ErrorCode } from './error-codes.ts';

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
  /** Whole seconds after which the same call is not refused for the same reason, where that is known. */
  readonly retryAfterSeconds: number | undefined;
  /** What must be paid before the work begins, in milliseconds of processor time. */
  readonly costMs: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      detail?: FieldError[];
      cause?: unknown;
      isInDoubt?: boolean;
      retryAfterSeconds?: number | undefined;
      costMs?: number | undefined;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.detail = options.detail ?? [];
    this.isInDoubt = options.isInDoubt ?? false;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.costMs = options.costMs;
  }

  get httpStatus(): number {
    return ERROR_TABLE[this.code].http;
  }

  get grpcStatus(): status {
    return ERROR_TABLE[this.code].grpc;
  }
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
