import type { RequestHandler } from 'express';
import type { IdSource } from '#foundation/ids.ts';
import type { Logger } from '#platform/operations/logger.ts';
import type { ErrorCode } from '#foundation/errors/error-codes.ts';
import type { CountedRequests } from './counted-requests.ts';
import type { RequestContext } from './request-context.ts';
import { countRefusedConnection, countRequest } from './request-metrics.ts';

/** This many lines a minute are logged for each kind of refusal: as many as a key may request by default. The others are counted. */
export const SAMPLED_LINES = 60;
const SAMPLING_MS = 60_000;
const HEALTH_PATH = '/api/health';

/** A request that was refused before the application saw it. Bytes that are not a request have no method and no URL. */
interface EarlyRefusal {
  method: string | undefined;
  url: string | undefined;
  status: number;
  code: ErrorCode;
}

/** What ends in the same way. */
interface Kind {
  code: string;
  status: number | undefined;
  key_id: string | undefined;
}

interface Sampled extends Kind {
  lines: number;
  unlogged: number;
  /** The id that those have in common which get no line of their own. */
  sharedId: string | undefined;
}

/**
 * Counts each request and logs one line for it, once its response is sent or its client has gone. Queries, headers and
 * bodies are not logged. A successful health check is logged only at `debug`: the supervisor alone sends 43,000 a
 * day. So is a preflight, which no limit counts. The number of refusals without a valid key, or of a key over its
 * limit, is unbounded: they are sampled, and counted per minute. Every answer is found by its id all the same, because those
 * that are only counted have the id of the line that counts them.
 */
export class RequestLog {
  readonly #lines: Logger;
  readonly #nowMs: () => number;
  readonly #newId: IdSource;
  readonly #counted: Pick<CountedRequests, 'count'>;
  readonly #samples = new Map<string, Sampled>();
  #timer: NodeJS.Timeout | undefined;

  /** @param counted counts for each key what it requests */
  constructor(log: Logger, nowMs: () => number, newId: IdSource, counted: Pick<CountedRequests, 'count'>) {
    this.#newId = newId;
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
      const status = isAnswered ? res.statusCode : undefined;
      context.hasOwnLine ??= !isUnbounded(context, status) || !this.#sharedIdOf(kindOf(context, status));
      if (!context.hasOwnLine) return;
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

  /** To be called before a refusal is answered. If it gets no line of its own, its id becomes that of the line that counts it. */
  nameRefusal(context: RequestContext, status: number): void {
    if (!isUnbounded(context, status)) return;
    const sharedId = this.#sharedIdOf(kindOf(context, status));
    context.hasOwnLine = sharedId === undefined;
    context.requestId = sharedId ?? context.requestId;
  }

  /** Returns the id under which the refusal is in the log. */
  logRefusal({ method, url, status, code }: EarlyRefusal): string {
    countRequest({ method, route: undefined, status, seconds: 0, code, isEventStream: false });
    const sharedId = this.#sharedIdOf({ code, status, key_id: undefined });
    if (sharedId !== undefined) return sharedId;
    const request_id = this.#newId('req');
    this.#lines.info({ request_id, method, path: url && loggedPath(url), status, code }, 'request');
    return request_id;
  }

  /** Counts a connection that was closed because there are too many. Nothing else is known about it. */
  countRefusedConnection(): void {
    countRefusedConnection();
    if (!this.#sharedIdOf({ code: 'too_many_connections', status: undefined, key_id: undefined }))
      this.#lines.warn({ code: 'too_many_connections' }, 'connection closed');
  }

  /** Logs the number of refusals that were not logged. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const { sharedId: request_id, unlogged: count, lines: _, ...kind } of this.#samples.values())
      if (count > 0) this.#lines.info({ request_id, ...kind, count }, 'requests refused and not logged');
    this.#samples.clear();
  }

  /** Undefined if a refusal of this kind gets a line of its own. The first that gets none announces the id, so that it is found at once. */
  #sharedIdOf(kind: Kind): string | undefined {
    this.#timer ??= setTimeout(() => this.flush(), SAMPLING_MS).unref();
    const name = Object.values(kind).join(' ');
    let sampled = this.#samples.get(name);
    if (!sampled)
      this.#samples.set(name, (sampled = { ...kind, lines: 0, unlogged: 0, sharedId: undefined }));
    if (sampled.lines < SAMPLED_LINES) {
      sampled.lines++;
      return undefined;
    }
    sampled.unlogged++;
    if (sampled.sharedId === undefined) {
      sampled.sharedId = this.#newId('req');
      this.#lines.info({ request_id: sampled.sharedId, ...kind }, 'further requests get this id');
    }
    return sampled.sharedId;
  }
}

function kindOf({ errorCode, key }: RequestContext, status: number | undefined): Kind {
  return { code: errorCode ?? 'client_gone', status, key_id: key?.id };
}

/** Whether the number of requests that end like this one is not bounded by a key's limit. */
function isUnbounded({ key, errorCode }: RequestContext, status: number | undefined): boolean {
  if (errorCode === 'rate_limited') return true;
  return key === undefined && (status === undefined || (status >= 400 && status < 500));
}

/** Longer than every path of the API; a longer one is cut, so that unauthenticated clients do not decide the size of the log. */
const MAX_PATH_LENGTH = 300;

/** The path of a request without its query, which may hold what a log must not, and without the secrets of keys in it. */
function loggedPath(url: string): string {
  const path = url.split('?', 1)[0]!.replaceAll(/sar_\w+/g, 'sar_…');
  return path.length <= MAX_PATH_LENGTH ? path : `${path.slice(0, MAX_PATH_LENGTH)}…`;
}
