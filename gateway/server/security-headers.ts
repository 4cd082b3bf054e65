import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { ServiceError } from '#shared/service-error.ts';
import { errorEnvelope } from '../answers/errors.ts';
import { sendJson } from '../answers/send-json.ts';

/**
 * Headers of a JSON API: nothing in an answer may be run, framed, sniffed or kept. Those that only speak to pages
 * are left out; the reference page brings its own content policy.
 */
export const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** Refuses requests without Host with 400, as HTTP/1.1 wants it; Node's own refusal would have no envelope. */
export const requireHost: RequestHandler = (req, res, next) => {
  if (req.headers.host !== undefined || req.httpVersion !== '1.1') return next();
  const refusal = new ServiceError('invalid_request', 'The HTTP request has no Host header.');
  req.context.errorCode = refusal.code;
  res.setHeader('Connection', 'close');
  sendJson(res, 400, { error: errorEnvelope(refusal, req.context.requestId).error });
};
