import { Router, type RequestHandler } from 'express';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { RenderedResponse } from '../responses/rendered-response.ts';
import { sendResponse } from '../responses/send-response.ts';
import { sendEvents, type EventStream } from '../responses/send-events.ts';
import { endUserOf } from '../auth/end-user.ts';
import { requireScope } from '../auth/authenticate.ts';
import type { Backend } from '../backend/backend.ts';
import { ClientCall } from '../request/client-call.ts';
import type { Route } from './define-route.ts';
import { isInLanguages, isMarketData } from '../declarations/route.ts';
import { placingMistakes } from '../validation/validation.ts';
import type { BodyReader } from '../validation/read-body.ts';
import { inputValidator, type RouteInput } from '../validation/validation.ts';

interface RouteStages {
  readBody: BodyReader;
  validate: (req: Parameters<RequestHandler>[0], body: unknown) => RouteInput;
  backend: Backend;
}

/** Of routes that answer in both. The first is for those who accept any. */
const MEDIA_TYPES = ['application/json', 'text/event-stream'];

/** The stages of a request within one route: scope, end user, body, validation, handler, answer. */
function serveRoute(route: Route, { readBody, validate, backend: ofAll }: RouteStages): RequestHandler {
  return async (req, res) => {
    req.context.route = route;
    requireScope(route.access, req.context.key);
    if (route.needsEndUser) req.context.endUser = endUserOf(req.headers['x-end-user']);
    const body = route.body && (await readBody(req, res));
    const input = validate(req, body);
    const call = new ClientCall(req, res);
    const backend = ofAll.ofMarket(call.market);
    const stream =
      route.stream && req.accepts(MEDIA_TYPES) === 'text/event-stream' ? route.stream : undefined;
    const handle = () => (stream ?? route).handler(input as never, call, backend);
    if (stream || route.answers === 'event stream') {
      const mayTell = backend.openStreams.enter(call, route.access, res);
      return sendEvents(req, res, (await placingMistakes(route, handle)) as EventStream | undefined, mayTell);
    }
    const make = async () => new RenderedResponse(route, await placingMistakes(route, handle));
    const requested = isInLanguages(route) ? { ...input, language: call.language } : input;
    const response = isMarketData(route) ? await backend.answers.get(route, requested, make) : await make();
    const freshness = isMarketData(route) ? backend.dataset.freshnessOf(response.datasetVersion) : undefined;
    await sendResponse(req, res, response, freshness);
  };
}

/** A router of these routes. Refuses other methods on one of their paths, with a list of the allowed ones. */
export function mountRoutes(routes: Route[], readBody: BodyReader, backend: Backend): Router {
  const router = Router({ caseSensitive: true });
  for (const [path, ofPath] of Map.groupBy(routes, (route) => route.path)) {
    const mounted = router.route(mountedPath(path));
    for (const route of ofPath) {
      const validate = inputValidator(route);
      mounted[route.method](serveRoute(route, { readBody, validate, backend }));
    }
    mounted.all(refuseMethodsBut(methodsOf(ofPath)));
  }
  return router;
}

/** Says on the paths of these routes that the operator has switched them off, to those who might call them. */
export function refuseSwitchedOff(routes: Route[]): Router {
  const router = Router({ caseSensitive: true });
  for (const { path } of routes)
    router.all(mountedPath(path), (_req, _res, next) => {
      next(
        new ServiceError(
          'not_found',
          'The operator has switched off lists of stocks, bars and values of fields (BARS_API).',
        ),
      );
    });
  return router;
}

/** A path of the OpenAPI document as Express takes it. */
export function mountedPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function methodsOf(routes: Route[]): string[] {
  return routes.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
}

/** For a path on which other handlers serve these methods. */
export function refuseMethodsBut(methods: string[]): RequestHandler {
  const allowed = methods.join(', ');
  return (req, res, next) => {
    res.setHeader('Allow', allowed);
    next(new ServiceError('method_not_allowed', `${req.method} is not allowed here; allowed: ${allowed}.`));
  };
}
