import type { ApiResponse } from '../declared-api/request-parts.ts';

/** The location of a mistake, as in `detail[].loc`. */
export type Place = (string | number)[];

interface ExpectedRefusal {
  status: number;
  code: string;
  /** The place that a 422 must name. */
  place?: Place | undefined;
}

interface Envelope {
  error: { code: unknown; message: unknown; request_id: unknown; docs_url: unknown };
  detail?: Record<'loc' | 'msg' | 'type' | 'input' | 'ctx', unknown>[];
}

/** How a refusal violates the contract. */
export function envelopeFaults(response: ApiResponse, { status, code, place }: ExpectedRefusal): string[] {
  const { headers, text } = response;
  const envelope = envelopeIn(text);
  if (response.status !== status || envelope?.error.code !== code)
    return [`expected ${status} ${code}, got ${response.status} ${text.slice(0, 300)}`];
  const { message, request_id, docs_url, ...more } = envelope.error;
  const requestId = headers.get('x-request-id') ?? '';
  const members = Object.keys(envelope).toSorted().join();
  return faultsIn({
    'X-Request-ID is no request id': /^req_[0-9a-f]+$/.test(requestId),
    'the envelope has another request id': request_id === requestId,
    'there is no message': typeof message === 'string' && message.length > 10,
    'docs_url is not the page of the code': docs_url === `/api/docs/errors/${code}`,
    'error has more members': Object.keys(more).join() === 'code',
    'the envelope has other members': members === (status === 422 ? 'detail,error' : 'error'),
    'detail has another shape': status !== 422 || hasShape(envelope.detail),
    [`${place?.join('.')} is not named in ${JSON.stringify(envelope.detail)}`]:
      status !== 422 || names(envelope.detail, place),
    'Retry-After is no number of seconds':
      status !== 429 || /^[1-9]\d?$/.test(headers.get('retry-after') ?? ''),
    'WWW-Authenticate is missing': status !== 401 || headers.has('www-authenticate'),
  });
}

function envelopeIn(text: string): Envelope | undefined {
  try {
    const body = JSON.parse(text) as Partial<Envelope>;
    return typeof body.error === 'object' ? (body as Envelope) : undefined;
  } catch {
    return undefined;
  }
}

function faultsIn(holds: Record<string, boolean>): string[] {
  return Object.entries(holds)
    .filter(([, isSo]) => !isSo)
    .map(([fault]) => fault);
}

function hasShape(detail: Envelope['detail']): boolean {
  return (
    Array.isArray(detail) &&
    detail.length > 0 &&
    detail.every(
      ({ loc, msg, type, ctx, ...rest }) =>
        Array.isArray(loc) &&
        loc.every((step) => typeof step === 'string' || Number.isInteger(step)) &&
        typeof msg === 'string' &&
        typeof type === 'string' &&
        typeof ctx === 'object' &&
        Object.keys(rest).join() === 'input',
    )
  );
}

function names(detail: Envelope['detail'], place: Place | undefined): boolean {
  if (!place) return false;
  return detail!.some(({ loc }) => place.every((step, i) => (loc as Place)[i] === step));
}
