import express, { type Express } from 'express';
import type { IdSource } from '#shared/ids.ts';
import type { Logger } from '#shared/logger.ts';
import { authenticate, refuseDisabled } from './auth/authenticate.ts';
import type { KeyCache } from './auth/key-cache.ts';
import type { Counts } from './auth/rate-limit-counts.ts';
import { refusalBudget } from './auth/rate-limit-refusals.ts';
import { limitPerKey } from './auth/rate-limit.ts';
import type { StrangerBudget } from './auth/stranger-budget.ts';
import type { Backend } from './backend.ts';
import type { GatewayConfig } from './config.ts';
import { docs } from './openapi/docs-page.ts';
import { answerErrors, unknownPath } from './answers/errors.ts';
import { mountRoutes } from './routing/mount-routes.ts';
import { openApiDocument } from './openapi/openapi.ts';
import { bodyReader } from './validation/read-body.ts';
import { BUILT_CONSOLE, consoleFiles } from './server/console-files.ts';
import { requestContext } from './server/request-context.ts';
import type { RequestLog } from './server/request-log.ts';
import { requireHost, securityHeaders } from './server/security-headers.ts';
import { routes } from './routes/index.ts';

export interface AppDependencies {
  config: Pick<
    GatewayConfig,
    'BODY_LIMIT' | 'FAILED_AUTH_LIMIT' | 'TRUSTED_PROXIES' | 'DOCS' | 'CONSOLE' | 'CONSOLE_SIGN_IN_FILE'
  >;
  log: Logger;
  requestLog: RequestLog;
  newId: IdSource;
  /** A monotonic clock. */
  nowMs: () => number;
  keys: KeyCache;
  strangers: StrangerBudget;
  /** Of requests per key, and of refused keys per address. */
  counts: Counts;
  backend: Backend;
}

/**
 * The way of every request that was let in (`http/http-server.ts` refuses strangers over their budget). What follows within a route (scope, end user, body, validation, handler) stands in
 * `http/serve-route.ts`; bodies are read after authentication, so that strangers cannot make us parse.
 */
export function createApp(deps: AppDependencies): Express {
  const { config, log, requestLog, newId, nowMs, keys, strangers, counts, backend } = deps;
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', 'simple');
  app.set('case sensitive routing', true);

  const readBody = bodyReader(config.BODY_LIMIT);
  const [open, keyed] = [
    routes.filter(({ access }) => access === 'anybody'),
    routes.filter(({ access }) => access !== 'anybody'),
  ];

  app.use(requestContext(newId, nowMs));
  app.use(requestLog.middleware);
  app.use(securityHeaders);
  app.use(requireHost);
  app.use('/api/v1', authenticate(keys, strangers, refusalBudget(config, counts)));
  app.use('/api/v1', limitPerKey(counts), refuseDisabled);
  app.use(mountRoutes(keyed, readBody, backend));
  app.use(mountRoutes(open, readBody, backend));
  app.use(docs(openApiDocument(routes), config.DOCS));
  if (config.CONSOLE)
    app.use(consoleFiles({ folder: BUILT_CONSOLE, signInFile: config.CONSOLE_SIGN_IN_FILE, readBody }));
  app.use(unknownPath);
  app.use(answerErrors(log));
  return app;
}
