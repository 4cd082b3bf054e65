import type { RequestHandler } from 'express';
import type { Logger } from '#shared/logger.ts';

/** One line a request, once its answer is out or its client has gone. Queries, headers and bodies are left out. */
export function requestLog(log: Logger, nowMs: () => number): RequestHandler {
  // Its members are all named here and none is secret; the guard that looks for secrets would cost each request dearly.
  const lines = log.child({}, { redact: [] });
  return (req, res, next) => {
    const { context } = req;
    const [path] = req.originalUrl.split('?', 1);
    res.on('close', () => {
      const line = {
        request_id: context.requestId,
        method: req.method,
        path,
        status: res.statusCode,
        duration_ms: Math.round((nowMs() - context.startedAtMs) * 10) / 10,
        key_id: context.key?.id,
        end_user: context.endUser,
        code: context.errorCode,
      };
      if (res.writableFinished) lines.info(line, 'request');
      else lines.info({ ...line, status: undefined }, 'client went away');
    });
    next();
  };
}
