import type { RequestHandler } from 'express';
import { ServiceError } from '#shared/service-error.ts';
import { errorEnvelope } from './errors.ts';
import { sendJson } from './send-json.ts';

/** Refuses requests without Host with 400, as HTTP/1.1 wants it; Node's own refusal would have no envelope. */
export const requireHost: RequestHandler = (req, res, next) => {
  if (req.headers.host !== undefined || req.httpVersion !== '1.1') return next();
  const refusal = new ServiceError('invalid_request', 'The HTTP request has no Host header.');
  req.context.errorCode = refusal.code;
  res.setHeader('Connection', 'close');
  sendJson(res, 400, { error: errorEnvelope(refusal, req.context.requestId).error });
};
