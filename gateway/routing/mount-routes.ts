import type { Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { RenderedResponse } from '../responses/rendered-response.ts';
import { sendResponse } from '../responses/send-response.ts';
import { sendEvents, type EventStream } from '../responses/send-events.ts';
import { endUserOf } from '../auth/end-user.ts';
import { requireScope } from '../auth/authenticate.ts';
import type { Backend } from '../backend/backend.ts';
import { ClientCall } from '../request/client-call.ts';
import type { Route } from './define-route.ts';
import { RouteTable } from './route-table.ts';
import { isInLanguages, isMarketData } from '../declarations/route.ts';
import { placingMistakes } from '../validation/validation.ts';
import type { BodyReader } from '../validation/read-body.ts';
import { inputValidator, type RouteInput } from '../validation/validation.ts';

interface MountedRoute {
  route: Route;
  validate: (req: Request, body: unknown) => RouteInput;
}

/** What is at a path. */
interface MountedPath {
  byMethod: Map<string, MountedRoute>;
  /** For other methods. */
  refuse: RequestHandler;
}

/** What a URL asks for. */
interface Asked {
  route: Route;
  input: RouteInput;
}

/** Of the URLs whose meaning is kept, with a kilobyte for each besides its text. */
const KNOWN_URLS_BYTES = 4_194_304;

/** Of routes that answer in both. The first is for those who accept any. */
const MEDIA_TYPES = ['application/json', 'text/event-stream'];

/**
 * Serves these routes: finds the one of a request and takes it through its stages, which are scope, end user, body, validation,
 * handler and answer. Other methods on one of the paths are refused with a list of the allowed ones; other paths are passed on.
 *
 * What a GET asks for follows from its URL alone, so a URL that comes again is neither taken apart nor validated again.
 */
export function mountRoutes(routes: Route[], readBody: BodyReader, backend: Backend): RequestHandler {
  const byPath = Map.groupBy(routes, ({ path }) => path);
  const table = new RouteTable([...byPath].map(([path, ofPath]) => [path, mounted(ofPath)]));
  const known = new LRUCache<string, Asked>({
    maxSize: KNOWN_URLS_BYTES,
    sizeCalculation: (_asked, url) => 1_000 + 4 * url.length,
  });
  return (req, res, next) => {
    const asked = req.method === 'GET' ? known.get(req.url) : undefined;
    if (asked) {
      enter(asked.route, req);
      return answer(asked, req, res, backend);
    }
    const found = table.at(req.path);
    if (!found) return next();
    const here = found.entry.byMethod.get(req.method);
    if (!here) return found.entry.refuse(req, res, next);
    req.params = found.params;
    const { route, validate } = here;
    enter(route, req);
    const goOn = (body?: unknown) => {
      const read = { route, input: validate(req, body) };
      if (req.method === 'GET') known.set(req.url, read);
      return answer(read, req, res, backend);
    };
    return route.body ? readBody(req, res).then(goOn) : goOn();
  };
}

function mounted(routes: Route[]): MountedPath {
  const byMethod = new Map<string, MountedRoute>();
  for (const route of routes) {
    const one = { route, validate: inputValidator(route) };
    for (const method of methodsOf([route])) byMethod.set(method, one);
  }
  return { byMethod, refuse: refuseMethodsBut(methodsOf(routes)) };
}

/** Refuses a request without the scope or the end user that the route needs. */
function enter(route: Route, { context, headers }: Request): void {
  context.route = route;
  requireScope(route.access, context.key);
  if (route.needsEndUser) context.endUser = endUserOf(headers['x-end-user']);
}

/** Nothing here waits, and no promise is made, for an answer that is in memory. */
function answer({ route, input }: Asked, req: Request, res: Response, ofAll: Backend): void | Promise<void> {
  const call = new ClientCall(req, res);
  const backend = ofAll.ofMarket(call.market);
  const stream = route.stream && req.accepts(MEDIA_TYPES) === 'text/event-stream' ? route.stream : undefined;
  const handle = () => placingMistakes(route, () => (stream ?? route).handler(input as never, call, backend));
  if (stream || route.answers === 'event stream') {
    const mayTell = backend.openStreams.enter(call, route.access, res);
    return Promise.resolve(handle()).then((events) =>
      sendEvents(req, res, events as EventStream | undefined, mayTell),
    );
  }
  const render = (answered: unknown) => new RenderedResponse(route, answered);
  if (!isMarketData(route))
    return whenThere(handle(), (answered) => sendResponse(req, res, render(answered)));
  const requested = isInLanguages(route) ? { ...input, language: call.language } : input;
  const made = backend.answers.get(route, requested, async () => render(await handle()));
  return whenThere(made, (response) =>
    sendResponse(req, res, response, backend.dataset.freshnessOf(response.datasetVersion)),
  );
}

/** Goes on at once with what is there already. */
function whenThere<T>(value: T | Promise<T>, goOn: (value: T) => void | Promise<void>): void | Promise<void> {
  return value instanceof Promise ? value.then(goOn) : goOn(value);
}

/** Says on the paths of these routes that the operator has switched them off, to those who might call them. */
export function refuseSwitchedOff(routes: Route[]): RequestHandler {
  const table = new RouteTable(routes.map(({ path }) => [path, path]));
  return (req, _res, next) => {
    if (!table.at(req.path)) return next();
    throw new ServiceError(
      'not_found',
      'The operator has switched off lists of stocks, bars and values of fields (BARS_API).',
    );
  };
}

/** Who serves GET serves HEAD. */
export function methodsOf(routes: Pick<Route, 'method'>[]): string[] {
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
