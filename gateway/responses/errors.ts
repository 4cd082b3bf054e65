import type { ErrorRequestHandler, RequestHandler, Request } from 'express';
import type { ErrorCode } from '#foundation/errors/error-codes.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { invalidRequest } from '#foundation/errors/invalid-request.ts';
import { ServiceError, toServiceError, type FieldError } from '#foundation/errors/service-error.ts';
import type { RequestLog } from '../request/request-log.ts';
import { sendJson } from './send-json.ts';

/** Longer inputs are not echoed in `detail`; the longest list of tickers is shorter. */
const MAX_ECHOED_CHARACTERS = 1_000;

/** When a limit of a service ends that depends on what runs, which nobody knows. */
const USUAL_PAUSE_SECONDS = 5;

/** The list of error codes. Pages of the codes are below it. */
export const ERROR_PAGES = '/api/docs/errors';

export const unknownPath: RequestHandler = (_req, _res, next) => {
  next(new ServiceError('not_found', 'There is no such path. The API is described at /api/docs.'));
};

/** The last middleware. Every failure is answered here, in the same envelope. */
export function sendErrors(log: Logger, requestLog: Pick<RequestLog, 'nameRefusal'>): ErrorRequestHandler {
  return (thrown: unknown, req, res, _next) => {
    const error = withDoubt(undecodablePath(thrown) ?? toServiceError(thrown), req);
    req.context.errorCode = error.code;
    logFailure(log, error, req.context.requestId);
    if (res.headersSent) {
      res.destroy();
      return;
    }
    requestLog.nameRefusal(req.context, error.httpStatus);
    if (error.httpStatus === 429 && !res.hasHeader('Retry-After'))
      res.setHeader('Retry-After', error.retryAfterSeconds ?? USUAL_PAUSE_SECONDS);
    if (error.httpStatus === 401) res.setHeader('WWW-Authenticate', 'Bearer realm="saring"');
    sendJson(
      res,
      error.httpStatus,
      errorEnvelope(error, req.context.requestId, (loc) => sentInput(req, loc)),
    );
  };
}

/**
 * Nobody is refused plainly who may have begun something. That is so while no answer to this request came, and also of earlier
 * requests with its Idempotency-Key: whoever cannot look at the key does not know of them.
 */
function withDoubt(error: ServiceError, { context: { route }, headers, method }: Request): ServiceError {
  const takesKey = route ? route.takesIdempotencyKey === true : method === 'POST';
  if (error.httpStatus !== 503 || !takesKey) return error;
  const { code, message, isInDoubt, cause } = error;
  const hasKey = headers['idempotency-key'] !== undefined;
  const told = (text: string) => new ServiceError(code, text, { cause, isInDoubt });
  // Before there is a route, only the key was looked up.
  if (!isInDoubt || !route) return hasKey ? told(`${message} ${EARLIER_REQUESTS}`) : error;
  return told(`${IN_DOUBT} ${hasKey ? REPEAT_WITH_KEY : CHECK_FIRST}`);
}

const IN_DOUBT = 'No answer came, so it is unknown whether this was carried out.';
const REPEAT_WITH_KEY = 'Repeat the request with the same Idempotency-Key.';
const CHECK_FIRST = 'Check before you send it again: a second request may do it twice.';
const EARLIER_REQUESTS =
  'An earlier request with this Idempotency-Key may have been carried out: repeat the request with the same key, which finds it.';

/** Logs a fault of ours with all its details. An unavailable service gets a short line, because many requests hit it. */
function logFailure(log: Logger, error: ServiceError, requestId: string): void {
  if (error.httpStatus < 500) return;
  const line = { request_id: requestId, code: error.code };
  if (error.code === 'internal_error') log.error({ ...line, err: error.cause ?? error }, error.message);
  else
    log.warn(
      { ...line, reason: error.cause instanceof Error ? error.cause.message : undefined },
      error.message,
    );
}

/**
 * The address of a code's page, as a path on the gateway, as `poll_url` is: the gateway does not know under which host clients
 * reach it, and the page then always is that of the same release.
 */
export function errorPage(code: ErrorCode): string {
  return `${ERROR_PAGES}/${code}`;
}

/** @param sentAt returns what the request sent at the place of a mistake; omit it if there is no request */
export function errorEnvelope(
  error: ServiceError,
  requestId: string,
  sentAt: (loc: FieldError['loc']) => unknown = () => undefined,
) {
  const { code, detail, message, httpStatus } = error;
  const envelope = { error: { code, message, request_id: requestId, docs_url: errorPage(code) } };
  // Of what is not found, only some have a detail: the new name of a stock, for example.
  if (httpStatus !== 422 && !(httpStatus === 404 && detail.length > 0)) return envelope;
  return {
    ...envelope,
    detail: (detail.length > 0 ? detail : [unplaced(message)]).map((mistake) =>
      complete({ ...mistake, input: sentAt(mistake.loc) ?? mistake.input }),
    ),
  };
}

/** Express throws a URIError with status 400 for a path that it cannot decode. Returns undefined for any other error. */
function undecodablePath(thrown: unknown): ServiceError | undefined {
  if (!(thrown instanceof URIError) || (thrown as { status?: number }).status !== 400) return undefined;
  return invalidRequest([{ loc: ['path'], msg: 'is not valid percent-encoding', type: 'value_error' }]);
}

function unplaced(msg: string): FieldError {
  return { loc: [], msg, type: 'value_error' };
}

/** Fills every member of the contract's shape, so that clients need not test for it. */
function complete({ loc, msg, type, input, ctx }: FieldError): Required<FieldError> {
  return { loc, msg, type, input: isShort(input) ? input : null, ctx: ctx ?? {} };
}

function isShort(input: unknown): boolean {
  return input !== undefined && (JSON.stringify(input) ?? '').length <= MAX_ECHOED_CHARACTERS;
}

/** Headers whose value may be echoed for a mistake. No other header is: one of them holds the key. */
const REPEATED_HEADERS = ['content-type', 'idempotency-key', 'x-end-user'];

/**
 * Returns what a request sent at the place of a mistake: the raw text of a query value, or the parsed JSON of a body
 * member. undefined if nothing was sent, or if the place is a whole part of the request.
 */
export function sentInput(req: Request, [part, name, ...path]: FieldError['loc']): unknown {
  if (name === undefined) return undefined;
  if (part === 'query') return ownMember(req.query, name);
  if (part === 'header') {
    const header = String(name).toLowerCase();
    return REPEATED_HEADERS.includes(header) ? req.headers[header] : undefined;
  }
  return part === 'body' ? [name, ...path].reduce<unknown>(ownMember, req.body) : undefined;
}

function ownMember(value: unknown, name: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string | number, unknown>)[name];
}
