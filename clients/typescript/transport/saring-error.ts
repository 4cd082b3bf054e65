import type { Schemas } from './api-types.ts';

/** Error codes that the API returns. */
export type ApiErrorCode = Schemas['Error']['error']['code'];

/**
 * Codes of failures that the API does not report: there was no response, none in time, or one that is not the API’s (a
 * proxy’s page, for example). `resultOf` also uses them for a run without a result.
 */
export type ClientErrorCode =
  | 'network_error'
  | 'timeout'
  | 'unexpected_answer'
  | 'run_failed'
  | 'run_interrupted'
  | 'result_unavailable';

export type SaringErrorCode = ApiErrorCode | ClientErrorCode;

/** What is wrong with one field of a request. */
export type FieldError = Schemas['FieldError'];

interface Circumstances {
  /** HTTP status; absent when no response came. */
  status?: number | undefined;
  /** Quote it when you report a problem with the request. */
  requestId?: string | undefined;
  detail?: FieldError[] | undefined;
  /** Address of the page that describes the code. Absent if no server answered that has one. */
  docsUrl?: string | undefined;
  /** Seconds to wait before the next attempt, as the API says. */
  retryAfterSeconds?: number | undefined;
  /** The job that was accepted before following it failed. The job itself goes on. */
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
  readonly docsUrl: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly jobId: string | undefined;

  constructor(code: SaringErrorCode, message: string, about: Circumstances = {}) {
    super(message, about.cause === undefined ? undefined : { cause: about.cause });
    this.code = code;
    this.status = about.status;
    this.requestId = about.requestId;
    this.detail = about.detail ?? [];
    this.docsUrl = about.docsUrl;
    this.retryAfterSeconds = about.retryAfterSeconds;
    this.jobId = about.jobId;
  }

  /** A copy of this error that names the job it is about. */
  ofJob(jobId: string | undefined): SaringError {
    return new SaringError(this.code, this.message, { ...this, jobId, cause: this.cause ?? this });
  }
}

/** 502 and 504 come from proxies in front of the API. */
const PASSING_STATUSES = [429, 502, 503, 504];

/** The error that a response describes. `body` is the parsed JSON, or the text if it is not JSON. */
export function errorOfResponse({ status, headers }: Response, body: unknown, baseUrl: string): SaringError {
  const about = {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: secondsOf(headers.get('retry-after')),
  };
  if (!isEnvelope(body)) {
    return new SaringError(
      'unexpected_answer',
      `The server answered ${status} in a form that the API does not use.`,
      about,
    );
  }
  const { code, message, request_id, docs_url } = body.error;
  const docsUrl = docs_url === undefined ? undefined : new URL(docs_url, baseUrl).href;
  return new SaringError(code, message, { ...about, requestId: request_id, detail: body.detail, docsUrl });
}

/** Whether the same request may succeed a little later. */
export function isPassing({ code, status }: SaringError): boolean {
  return code === 'network_error' || (status !== undefined && PASSING_STATUSES.includes(status));
}

/** A server of an earlier release has no pages of codes. */
type ReceivedError = Omit<Schemas['Error']['error'], 'docs_url'> & { docs_url?: string };

interface Envelope {
  error: ReceivedError;
  detail?: FieldError[];
}

function isEnvelope(body: unknown): body is Envelope {
  return typeof (body as Partial<Envelope> | null | undefined)?.error?.code === 'string';
}

/** Proxies may also send a date there, which is ignored. */
function secondsOf(retryAfter: string | null): number | undefined {
  return retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined;
}
