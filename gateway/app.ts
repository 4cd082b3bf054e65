import express, { Router, type Express, type RequestHandler } from 'express';
import type { IdSource } from '#foundation/ids.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { agentTools } from './agents/mcp-over-http.ts';
import { authenticate, authenticateOperator, refuseDisabled, servesOperator } from './auth/authenticate.ts';
import type { KeyCache } from './auth/key-cache.ts';
import type { Counts } from './auth/rate-limit-counts.ts';
import { refusalBudget, limitPerKey } from './auth/rate-limit.ts';
import { requireCsrfToken } from './request/session-cookie.ts';
import { OPERATOR_ROOT, type UnauthenticatedBudget } from './auth/unauthenticated-budget.ts';
import type { Backend } from './backend/backend.ts';
import type { GatewayConfig } from './config.ts';
import { DOCUMENTS_ROOT } from './documents/documents.ts';
import { atFirstRequest } from './responses/shared-content.ts';
import { docs, OPENAPI_DOCUMENT } from './openapi/docs-page.ts';
import { errorPages } from './openapi/error-pages.ts';
import { llmsText } from './openapi/llms-text.ts';
import { sendErrors, unknownPath, errorEnvelope } from './responses/errors.ts';
import { announceDeprecations, DEPRECATION_POLICY, hasDeprecations } from './routing/deprecation.ts';
import { ClientCall } from './request/client-call.ts';
import { mountRoutes, refuseSwitchedOff } from './routing/mount-routes.ts';
import { openApiDocument } from './openapi/openapi.ts';
import { credentialOf } from './declarations/route.ts';
import { bodyReader } from './validation/read-body.ts';
import { BUILT_CONSOLE, consoleFiles } from './server/console-files.ts';
import { requestContext } from './request/request-context.ts';
import type { CrossOrigin } from './server/cross-origin.ts';
import type { RequestLog } from './request/request-log.ts';
import { routes } from './routes/index.ts';
import { startSession } from './routes/sessions.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { completeHeads } from './responses/response-head.ts';
import { sendJson } from './responses/send-json.ts';

interface AppDependencies {
  config: GatewayConfig;
  log: Logger;
  requestLog: RequestLog;
  newId: IdSource;
  /** A monotonic clock. */
  nowMs: () => number;
  keys: KeyCache;
  crossOrigin: CrossOrigin;
  unauthenticated: UnauthenticatedBudget;
  /** Counts of requests per key, and of refused keys per address. */
  counts: Counts;
  backend: Backend;
}

/**
 * The stages of every request that was let in (`server/http-server.ts` refuses unauthenticated clients over their budget). The
 * stages within a route (scope, end user, body, validation, handler) are in `routing/mount-routes.ts`. Bodies are
 * read after authentication, so that unauthenticated clients cannot make the gateway parse.
 */
export function createApp(deps: AppDependencies): Express {
  const { config, log, requestLog, newId, nowMs, keys, crossOrigin, unauthenticated, counts, backend } = deps;
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', 'simple');
  app.set('case sensitive routing', true);
  completeHeads(app);

  const readBody = bodyReader(config.BODY_LIMIT);
  const [switchedOff = [], known = []] = [true, false].map((isOff) =>
    routes.filter(({ handsOutMarket = false }) => (handsOutMarket && !config.BARS_API) === isOff),
  );
  const served = known.filter((route) => credentialOf(route) !== 'operator' || servesOperator(config));
  const { none: open = [], key: keyed = [], operator: operators = [] } = Object.groupBy(served, credentialOf);
  const refusals = refusalBudget(config, counts);
  const deprecationPolicy = config.DOCS ? DEPRECATION_POLICY : OPENAPI_DOCUMENT;

  const authenticateKey = authenticate(keys, unauthenticated, refusals);
  const ofOperator = [
    authenticateOperator(config, refusals),
    mountRoutes(operators, readBody, backend),
    unknownPath,
  ];
  app.use(
    inTurn(
      requestContext(newId, nowMs),
      requestLog.middleware,
      requireHost,
      crossOrigin.answerPreflights,
      ...(served.some(hasDeprecations) ? [announceDeprecations(served, deprecationPolicy)] : []),
      ...(operators.length > 0 ? [below(OPERATOR_ROOT, ...ofOperator)] : []),
      below('/api/v1', authenticateKey, limitPerKey(counts), refuseDisabled, requireCsrfToken),
      mountRoutes(keyed, readBody, backend),
      refuseSwitchedOff(switchedOff),
      mountRoutes(open, readBody, backend),
    ),
  );
  app.use(docs(() => openApiDocument(served), config.DOCS));
  app.use(errorPages());
  if (config.MCP)
    app.use(
      agentTools({
        authenticate: [authenticateKey, refuseDisabled, requireCsrfToken],
        counts,
        crossOrigin,
        readBody,
      }),
    );
  if (config.DOCS) app.use(documentsAtFirstRequest());
  app.use(llmsText(config.DOCS));
  if (config.CONSOLE)
    app.use(
      consoleFiles({
        folder: BUILT_CONSOLE,
        signInFile: config.CONSOLE_SIGN_IN_FILE,
        readBody,
        startSession: async (apiKey, req, res) => {
          const { id: keyId } = await keys.find(apiKey, req.context);
          return startSession(backend.services, new ClientCall(req, res), { keyId, key: apiKey, keep: true });
        },
      }),
    );
  app.use(unknownPath);
  app.use(sendErrors(log, requestLog));
  return app;
}

/**
 * One handler made of stages, each of which answers the request or passes it on to the next. Express would match the path again
 * before each of them.
 */
function inTurn(...stages: RequestHandler[]): RequestHandler {
  return (req, res, next) => {
    let at = 0;
    const goOn = (refusal?: unknown): void => {
      const stage = stages[at++];
      if (refusal !== undefined || !stage) return next(refusal);
      try {
        const pending: unknown = stage(req, res, goOn);
        if (pending instanceof Promise) pending.catch(next);
      } catch (thrown) {
        next(thrown);
      }
    };
    goOn();
  };
}

/** The stages of requests to this path and to paths below it. Others pass them by. */
function below(path: string, ...stages: RequestHandler[]): RequestHandler {
  const [inside, folder] = [inTurn(...stages), `${path}/`];
  return (req, res, next) =>
    req.path.startsWith(folder) || req.path === path ? inside(req, res, next) : next();
}

/** Refuses requests without a Host header with 400, as HTTP/1.1 requires. Node's own refusal would have no envelope. */
const requireHost: RequestHandler = (req, res, next) => {
  if (req.headers.host !== undefined || req.httpVersion !== '1.1') return next();
  const refusal = new ServiceError('invalid_request', 'The HTTP request has no Host header.');
  req.context.errorCode = refusal.code;
  res.setHeader('Connection', 'close');
  sendJson(res, 400, { error: errorEnvelope(refusal, req.context.requestId).error });
};

/** The pages below `/docs`. Their code, with its libraries, is loaded at the first request, so that no start waits for it. */
function documentsAtFirstRequest(): Router {
  const router = Router({ caseSensitive: true });
  router.get(
    [DOCUMENTS_ROOT, `${DOCUMENTS_ROOT}.md`, `${DOCUMENTS_ROOT}/*rest`],
    atFirstRequest(async () => (await import('./documents/document-pages.ts')).documentPages()),
  );
  return router;
}
