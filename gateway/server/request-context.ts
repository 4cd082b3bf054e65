import type { RequestHandler } from 'express';
import type { ApiKey } from '#proto/saring/keys/v1/keys.ts';
import type { IdSource } from '#shared/ids.ts';
import type { ErrorCode } from '#shared/service-error.ts';

/** What is known of a request, from its first middleware to its log line. */
export interface RequestContext {
  requestId: string;
  traceparent: string | undefined;
  startedAtMs: number;
  /** Who calls; set by authentication. */
  key?: ApiKey;
  /** The asserted end user, on routes that need one. */
  endUser?: string;
  /** What the client names its request by, where it does, on routes that take it. */
  idempotencyKey?: string | undefined;
  /** What the request was refused or failed with. */
  errorCode?: ErrorCode;
}

declare module 'express-serve-static-core' {
  interface Request {
    context: RequestContext;
  }
}

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/**
 * Gives each request an id and says it in every answer. A client's own X-Request-ID is not taken over: ids that
 * somebody else chose could repeat, or lead to another caller's log lines.
 */
export function requestContext(newId: IdSource, nowMs: () => number): RequestHandler {
  return (req, res, next) => {
    const { traceparent } = req.headers;
    req.context = {
      requestId: newId('req'),
      traceparent: typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : undefined,
      startedAtMs: nowMs(),
    };
    res.setHeader('X-Request-ID', req.context.requestId);
    next();
  };
}
