import type { Schemas } from './api-types.ts';
import { SaringError } from './saring-error.ts';

/** 502 and 504 come from proxies in front of the API. */
const PASSING_STATUSES = [429, 502, 503, 504];

/** The error that an answer describes; `body` is its JSON, or its text when it is none. */
export function errorOfAnswer({ status, headers }: Response, body: unknown): SaringError {
  const about = {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: secondsOf(headers.get('retry-after')),
  };
  if (!isEnvelope(body)) {
    return new SaringError(
      'unexpected_answer',
      `The server answered ${status}, and not as the API does.`,
      about,
    );
  }
  const { code, message, request_id } = body.error;
  return new SaringError(code, message, { ...about, requestId: request_id, detail: body.detail });
}

/** Whether the same request may well succeed a little later. */
export function isPassing({ code, status }: SaringError): boolean {
  return code === 'network_error' || (status !== undefined && PASSING_STATUSES.includes(status));
}

type Envelope = Schemas['Error'] & Partial<Schemas['ValidationError']>;

function isEnvelope(body: unknown): body is Envelope {
  return typeof (body as Partial<Envelope> | null | undefined)?.error?.code === 'string';
}

/** Proxies may also write a date there; of that nothing is known. */
function secondsOf(retryAfter: string | null): number | undefined {
  return retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined;
}
