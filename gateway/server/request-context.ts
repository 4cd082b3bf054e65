import type { Request, RequestHandler, Response } from 'express';
import type { ApiKey } from '#proto/saring/keys/v1/keys.ts';
import type { IdSource } from '#shared/ids.ts';
import { beginSpan } from '#shared/operations/tracing.ts';
import type { ErrorCode } from '#shared/service-error.ts';
import type { DeclaredRoute } from '../routing/route.ts';
import { NO_ROUTE } from './request-metrics.ts';
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';

/** What is known of a request, from its first middleware to its log line. */
export interface RequestContext {
  requestId: string;
  traceparent: string | undefined;
  startedAtMs: number;
  /** The one that took the request. */
  route?: Pick<DeclaredRoute, 'path' | 'answers'>;
  /** Who calls; set by authentication. */
  key?: ApiKey;
  /** What the operator has sent, found to be its token. */
  operatorToken?: string;
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
    traceRequest(req, res);
    next();
  };
}

/** While tracing is on, what the request causes belongs to a span of its own. */
function traceRequest(req: Request, res: Response): void {
  const { context, method } = req;
  const span = beginSpan({ name: method, kind: 'server', parent: context.traceparent });
  if (!span) return;
  context.traceparent = span.traceparent;
  res.once('close', () => {
    const { route, errorCode, requestId } = context;
    span.end({
      name: `${method} ${route?.path ?? NO_ROUTE}`,
      attributes: {
        'http.request.method': method,
        'http.route': route?.path,
        'http.response.status_code': res.statusCode,
        'saring.request_id': requestId,
      },
      error: res.statusCode >= 500 ? errorCode : undefined,
    });
  });
}

/** Longer texts in X-Forwarded-For are no addresses, and are not kept whole. */
const MAX_ADDRESS_LENGTH = 64;

/**
 * Where a request comes from: the connection's other end, or what the outermost trusted proxy saw. Each proxy appends
 * to X-Forwarded-For, so whatever stands further left was written by the client and says nothing.
 */
export function clientAddress({ socket, headers }: IncomingMessage, trustedProxies: number): string {
  const nearest = socket.remoteAddress ?? '';
  const forwardedFor = headers['x-forwarded-for'];
  if (trustedProxies === 0 || forwardedFor === undefined) return networkOf(nearest);
  const hops = String(forwardedFor)
    .split(',')
    .map((hop) => hop.trim())
    .filter((hop) => hop !== '');
  const seen = hops.at(-Math.min(trustedProxies, hops.length)) ?? nearest;
  return networkOf(seen.slice(0, MAX_ADDRESS_LENGTH));
}

/** A whole IPv6 network (/56) counts as one address, since its user has all of them. */
export function networkOf(address: string): string {
  return isIPv6(address) ? ipKeyGenerator(address) : address;
}
