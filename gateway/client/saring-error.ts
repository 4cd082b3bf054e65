import type { Schemas } from './api-types.ts';

/** Codes that the API answers. */
export type ApiErrorCode = Schemas['Error']['error']['code'];

/**
 * Codes of failures that the API knows nothing of: no answer came, none came in time, or what came was none of its
 * (a proxy’s page, say); and, of `resultOf`, that a run has no result to give.
 */
export type ClientErrorCode =
  'network_error' | 'timeout' | 'unexpected_answer' | 'run_failed' | 'run_interrupted' | 'result_unavailable';

export type SaringErrorCode = ApiErrorCode | ClientErrorCode;

/** What is wrong with one field of a request. */
export type FieldError = Schemas['FieldError'];

interface Circumstances {
  /** HTTP status; absent when no answer came. */
  status?: number | undefined;
  /** Quote it when you ask about the request. */
  requestId?: string | undefined;
  detail?: FieldError[] | undefined;
  /** Seconds after which the API says to try again. */
  retryAfterSeconds?: number | undefined;
  /** The job that had been accepted when following it failed: it goes on. */
  jobId?: string | undefined;
  cause?: unknown;
}

/** Every failure of a call. Branch on `code`. */
export class SaringError extends Error {
  override readonly name = 'SaringError';
  readonly code: SaringErrorCode;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly detail: FieldError[];
  readonly retryAfterSeconds: number | undefined;
  readonly jobId: string | undefined;

  constructor(code: SaringErrorCode, message: string, about: Circumstances = {}) {
    super(message, about.cause === undefined ? undefined : { cause: about.cause });
    this.code = code;
    this.status = about.status;
    this.requestId = about.requestId;
    this.detail = about.detail ?? [];
    this.retryAfterSeconds = about.retryAfterSeconds;
    this.jobId = about.jobId;
  }

  /** The same failure, saying which job it is about. */
  ofJob(jobId: string | undefined): SaringError {
    return new SaringError(this.code, this.message, { ...this, jobId, cause: this.cause ?? this });
  }
}
