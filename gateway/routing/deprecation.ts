import type { Request, RequestHandler } from 'express';
import { startOfJakartaDay } from '#foundation/jakarta-time.ts';
import { methodsOf } from './mount-routes.ts';
import { RouteTable } from './route-table.ts';
import type { Deprecation } from '#proto/saring/wire/v1/calls.ts';
import type { DeclaredRoute } from '../declarations/route.ts';

/** Where the policy of deprecation is described. */
export const DEPRECATION_POLICY = '/docs/api-decisions#versions';

/**
 * Tells callers of what is deprecated in the headers of every response, refusals included: RFC 9745 and RFC 8594. It stands before
 * authentication, which does not know the route yet.
 * @param policyAt address of a page about the policy
 */
export function announceDeprecations(routes: DeclaredRoute[], policyAt: string): RequestHandler {
  const table = new RouteTable([...Map.groupBy(routes, ({ path }) => path)]);
  return (req, res, next) => {
    const route = table.at(req.path)?.entry.find((one) => methodsOf([one]).includes(req.method));
    const deprecation = route && deprecationOf(route, req);
    if (deprecation !== undefined) res.set(headersOf(deprecation, policyAt));
    next();
  };
}

export function hasDeprecations({ deprecated, deprecatedQuery }: DeclaredRoute): boolean {
  return deprecated !== undefined || deprecatedQuery !== undefined;
}

/** What the OpenAPI document says of it, in Markdown. */
export function deprecationText({ since, sunset, instead }: Deprecation): string {
  const end = sunset === undefined ? '' : `, and gone from ${sunset} at the earliest`;
  return `**Deprecated** since ${since}${end}. ${instead}`;
}

/** That of the route, or else of the first deprecated parameter that the request sends. */
function deprecationOf({ deprecated, deprecatedQuery = {} }: DeclaredRoute, req: Request) {
  if (deprecated !== undefined) return deprecated;
  return Object.entries(deprecatedQuery).find(([name]) => Object.hasOwn(req.query, name))?.[1];
}

function headersOf({ since, sunset }: Deprecation, policyAt: string): Record<string, string> {
  return {
    Deprecation: `@${startOfJakartaDay(since).getTime() / 1_000}`,
    Link: `<${policyAt}>; rel="deprecation"`,
    ...(sunset !== undefined && { Sunset: startOfJakartaDay(sunset).toUTCString() }),
  };
}
