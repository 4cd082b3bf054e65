import type { RequestHandler } from 'express';
import type { Logger } from '#shared/logger.ts';
import type { ErrorCode } from '#shared/error-codes.ts';
import type { CountedRequests } from './counted-requests.ts';
import type { RequestContext } from './request-context.ts';
import { countRefusedConnection, countRequest } from './request-metrics.ts';

/** This many lines a minute are logged for each kind of refusal. The others are only counted. */
const SAMPLED_LINES = 10;
const SAMPLING_MS = 60_000;
const HEALTH_PATH = '/api/health';

/** A request that was refused before the application saw it. Bytes that are not a request have no method and no URL. */
interface EarlyRefusal {
  requestId: string;
  method: string | undefined;
  url: string | undefined;
  status: number;
  code: ErrorCode;
}

interface Sampled {
  code: string;
  key_id: string | undefined;
  lines: number;
  unlogged: number;
}

/**
 * Counts each request and logs one line for it, once its response is sent or its client has gone. Queries, headers and
 * bodies are not logged. A successful health check is logged only at `debug`: the supervisor alone sends 43,000 a
 * day. So is a preflight, which no limit counts. The number of refusals without a valid key, or of a key over its
 * limit, is unbounded: they are sampled, and counted per minute.
 */
export class RequestLog {
  readonly #lines: Logger;
  readonly #nowMs: () => number;
  readonly #counted: Pick<CountedRequests, 'count'>;
  readonly #samples = new Map<string, Sampled>();
  #timer: NodeJS.Timeout | undefined;

  /** @param counted counts for each key what it requests */
  constructor(log: Logger, nowMs: () => number, counted: Pick<CountedRequests, 'count'>) {
    this.#counted = counted;
    // All members are named here and none is secret. Redaction would be expensive for each request.
    this.#lines = log.child({}, { redact: [] });
    this.#nowMs = nowMs;
  }

  readonly middleware: RequestHandler = (req, res, next) => {
    const { context } = req;
    const path = loggedPath(req.originalUrl);
    res.on('close', () => {
      const isAnswered = res.writableFinished;
      const durationMs = this.#nowMs() - context.startedAtMs;
      // Some routes answer with a stream only if they are asked to.
      const isEventStream = String(res.getHeader('Content-Type')).startsWith('text/event-stream');
      countRequest({
        method: req.method,
        route: context.route?.path,
        status: isAnswered ? res.statusCode : undefined,
        seconds: durationMs / 1_000,
        code: context.errorCode,
        isEventStream,
      });
      if (isAnswered && !isEventStream) this.#countForKey(context, res.statusCode, durationMs);
      const isSampled = isUnbounded(context, isAnswered ? res.statusCode : undefined);
      if (isSampled && !this.#isLogged(context.errorCode ?? 'client_gone', context.key?.id)) return;
      const line = {
        request_id: context.requestId,
        method: req.method,
        path,
        status: res.statusCode,
        duration_ms: Math.round(durationMs * 10) / 10,
        key_id: context.key?.id,
        end_user: context.endUser,
        code: context.errorCode,
      };
      const isHealthy = path === HEALTH_PATH && res.statusCode === 200;
      const isPreflight = req.method === 'OPTIONS' && res.statusCode === 204;
      if (isAnswered) this.#lines[isHealthy || isPreflight ? 'debug' : 'info'](line, 'request');
      else this.#lines.info({ ...line, status: undefined }, 'client went away');
    });
    next();
  };

  /** Not of agents, whose tools send requests of their own. Streams are left out too: they last as long as somebody listens. */
  #countForKey(
    { key, route, errorCode, requestId }: RequestContext,
    status: number,
    durationMs: number,
  ): void {
    const isOfAgent = route !== undefined && route.operationId === undefined;
    if (!key || isOfAgent) return;
    const operation_id = route?.operationId ?? '';
    this.#counted.count({ api_key_id: key.id, operation_id, status, code: errorCode, durationMs, requestId });
  }

  logRefusal({ requestId, method, url, status, code }: EarlyRefusal): void {
    countRequest({ method, route: undefined, status, seconds: 0, code, isEventStream: false });
    if (!this.#isLogged(code)) return;
    this.#lines.info(
      { request_id: requestId, method, path: url && loggedPath(url), status, code },
      'request',
    );
  }

  /** Counts a connection that was closed because there are too many. Nothing else is known about it. */
  countRefusedConnection(): void {
    countRefusedConnection();
    if (this.#isLogged('too_many_connections'))
      this.#lines.warn({ code: 'too_many_connections' }, 'connection closed');
  }

  /** Logs the number of refusals that were not logged. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const { code, key_id, unlogged } of this.#samples.values())
      if (unlogged > 0)
        this.#lines.info({ code, key_id, count: unlogged }, 'requests refused and not logged');
    this.#samples.clear();
  }

  #isLogged(code: string, keyId?: string): boolean {
    this.#timer ??= setTimeout(() => this.flush(), SAMPLING_MS).unref();
    const kind = keyId === undefined ? code : `${code} ${keyId}`;
    let sampled = this.#samples.get(kind);
    if (!sampled) this.#samples.set(kind, (sampled = { code, key_id: keyId, lines: 0, unlogged: 0 }));
    if (sampled.lines < SAMPLED_LINES) return ++sampled.lines > 0;
    sampled.unlogged++;
    return false;
  }
}

/** Whether the number of requests that end like this one is not bounded by a key's limit. */
function isUnbounded({ key, errorCode }: RequestContext, status: number | undefined): boolean {
  if (errorCode === 'rate_limited') return true;
  return key === undefined && (status === undefined || (status >= 400 && status < 500));
}

/** Longer than every path of the API; a longer one is cut, so that unauthenticated clients do not decide the size of the log. */
const MAX_PATH_LENGTH = 300;

/** The path of a request without its query, which may hold what a log must not. */
function loggedPath(url: string): string {
  const [path = ''] = url.split('?', 1);
  return path.length <= MAX_PATH_LENGTH ? path : `${path.slice(0, MAX_PATH_LENGTH)}…`;
}
