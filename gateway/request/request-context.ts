import type { Request, RequestHandler, Response } from 'express';
import type { ApiKey } from '#proto/saring/keys/v1/keys.ts';
import type { IdSource } from '#foundation/ids.ts';
import { beginSpan } from '#platform/operations/tracing.ts';
import type { ErrorCode } from '#foundation/errors/error-codes.ts';
import type { DeclaredRoute } from '../declarations/route.ts';
import { NO_ROUTE } from './request-metrics.ts';
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';

/** Names and values of headers by turns, as `writeHead` takes them. */
export type HeaderPairs = (string | number)[];

/** Facts about a request, from its first middleware to its log line. */
export interface RequestContext {
  requestId: string;
  traceparent: string | undefined;
  startedAtMs: number;
  /** The route that took the request. */
  route?: Pick<DeclaredRoute, 'path'> & Partial<Pick<DeclaredRoute, 'operationId' | 'takesIdempotencyKey'>>;
  /** The calling key; set by authentication. */
  key?: ApiKey;
  /** The token that the operator sent, after it was checked. */
  operatorToken?: string;
  /** The end user that the request names, on routes that need one. */
  endUser?: string;
  /** The Idempotency-Key of the request, if it has one and the route takes it. */
  idempotencyKey?: string | undefined;
  /** The error code of the response. */
  errorCode?: ErrorCode;
  /** How much of its limit the key has left, as headers of the response. */
  limitHeaders?: HeaderPairs;
  /** Whether the log gets a line about this request alone. Undefined until that is decided. */
  hasOwnLine?: boolean;
}

declare module 'express-serve-static-core' {
  interface Request {
    context: RequestContext;
  }
}

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/**
 * Gives each request an id, which every response returns in a header (`responses/response-head.ts`). A client's own X-Request-ID is ignored:
 * foreign ids could repeat, or lead to another caller's log lines.
 */
export function requestContext(newId: IdSource, nowMs: () => number): RequestHandler {
  return (req, res, next) => {
    const { traceparent } = req.headers;
    req.context = {
      requestId: newId('req'),
      traceparent: typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : undefined,
      startedAtMs: nowMs(),
    };
    traceRequest(req, res);
    next();
  };
}

/** While tracing is on, gives the request a span of its own. */
function traceRequest(req: Request, res: Response): void {
  const { context, method } = req;
  const span = beginSpan({ service: 'gateway', name: method, kind: 'server', parent: context.traceparent });
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

/** Longer texts in X-Forwarded-For are not addresses, and are not kept whole. */
const MAX_ADDRESS_LENGTH = 64;

/**
 * The address that a request comes from: the other end of the connection, or the address that the outermost trusted
 * proxy saw. Each proxy appends to X-Forwarded-For, so entries further left were written by the client and prove
 * nothing.
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
  return networkOf(withoutPort(seen.slice(0, MAX_ADDRESS_LENGTH)));
}

/** Some proxies append the port, which differs for each connection: `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
function withoutPort(address: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
}

/** A whole IPv6 network (/56) counts as one address, since one user has all addresses in it. */
export function networkOf(address: string): string {
  return isIPv6(address) ? ipKeyGenerator(address) : address;
}
