import { Router, type RequestHandler } from 'express';
import { ServiceError } from '#shared/service-error.ts';
import type { Backend } from '../backend.ts';
import type { Route } from './define-route.ts';
import type { BodyReader } from './read-body.ts';
import { serveRoute } from './serve-route.ts';
import { inputValidator, newAjv } from './validation.ts';

/** A router of these routes; another method on one of their paths is refused with the ones there are. */
export function mountRoutes(routes: Route[], readBody: BodyReader, backend: Backend): Router {
  const router = Router({ caseSensitive: true });
  const ajv = newAjv();
  for (const [path, ofPath] of Map.groupBy(routes, (route) => route.path)) {
    const mounted = router.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    for (const route of ofPath) {
      const validate = inputValidator(route, ajv);
      mounted[route.method](serveRoute(route, { readBody, validate, backend }));
    }
    mounted.all(refuseOtherMethods(ofPath));
  }
  return router;
}

function refuseOtherMethods(routes: Route[]): RequestHandler {
  const methods = routes.flatMap(({ method }) =>
    method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
  );
  const allowed = methods.join(', ');
  return (req, res, next) => {
    res.setHeader('Allow', allowed);
    next(new ServiceError('method_not_allowed', `${req.method} is not allowed here; allowed: ${allowed}.`));
  };
}
