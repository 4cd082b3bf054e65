import type { DescMethod } from '@bufbuild/protobuf';
import type { ErrorCode } from '#foundation/errors/error-codes.ts';
import type { Rest } from '#proto/saring/wire/v1/calls.ts';
import { commentOf, routesOf, rulesOf } from '#platform/wire/descriptors.ts';
import { CALLED } from './called-services.ts';
import { methodOf, type Rpc } from './call-schemas.ts';
import type { Access, Answers, RouteDescription } from './route.ts';

/** What proto/ says of a route. Its inputs, its responses and its handler are still to come. */
export type RouteFacts = Omit<RouteDescription, 'responses' | 'stream'>;

/**
 * What proto/ says of the route of a call, for a route with its own handler. A call with several routes needs the `operationId`.
 * @throws Error if proto/ declares no such route
 */
export function factsOf(rpc: Rpc, operationId?: string): RouteFacts {
  const method = methodOf(rpc);
  const found = routesOf(method)
    .map((rest) => factsIn(rpc, method, rest))
    .find((facts) => operationId === undefined || facts.operationId === operationId);
  if (!found) throw new Error(`proto/ declares no route ${operationId ?? ''} of ${rpc.join('.')}`);
  return found;
}

export function factsIn(rpc: Rpc, method: DescMethod, rest: Rest): RouteFacts {
  const { $case: verb, value: path } = rest.pattern!;
  const has = (name: string) => method.input.fields.some((field) => field.name === name);
  const takesIdempotencyKey = has('idempotency_key');
  const unknownIdCode = path.includes('{') && rest.unknown_id;
  return {
    method: verb,
    path,
    operationId: rest.operation || method.localName,
    tag: rest.tag as RouteFacts['tag'],
    summary: rest.title,
    description: descriptionIn(method, rest),
    access: rest.access as Access,
    errors: errorsIn(rpc, method, rest),
    fieldNames: rest.names,
    ...(rest.client && { client: rest.client }),
    ...(verb === 'post' && {
      repeatable: takesIdempotencyKey ? 'by its key' : rest.repeatable ? 'by nature' : 'never',
    }),
    ...(rest.costs && { costs: true }),
    ...(rest.needs_end_user && { needsEndUser: true }),
    ...(takesIdempotencyKey && { takesIdempotencyKey }),
    ...(rest.answers && { answers: rest.answers as Answers }),
    ...(rest.csv && { csvOf: rest.csv }),
    ...(rest.hands_out_market && { handsOutMarket: true }),
    ...(unknownIdCode && { unknownIdCode: unknownIdCode as ErrorCode }),
    ...(rest.sample_body && { sample: { body: JSON.parse(rest.sample_body) as unknown } }),
    ...(rest.deprecated && { deprecated: rest.deprecated }),
    ...(Object.keys(rest.deprecated_query).length > 0 && { deprecatedQuery: rest.deprecated_query }),
  };
}

const PAGES = 'Pass `next_cursor` as `cursor`, with the same parameters, until `has_more` is false.';
const SWITCH =
  'Where the licence of the data forbids redistribution, the operator can switch this endpoint off; it is then 404 `not_found`.';

const COSTS =
  'The work is charged to the budget of the key before it begins (`X-Cost`). If too little is left, the response is 429 `rate_limited`.';

/** The comment of the call, and what follows from its other facts. */
function descriptionIn(method: DescMethod, { description, costs, hands_out_market }: Rest): string {
  return [
    description || commentOf(method),
    ...(isPaged(method) ? [PAGES] : []),
    ...(costs ? [COSTS] : []),
    ...(hands_out_market ? [SWITCH] : []),
  ].join(' ');
}

function isPaged({ input }: DescMethod): boolean {
  return input.fields.some(({ name }) => name === 'cursor');
}

/** Its own codes, those of its inputs, and that of a service that does not respond. */
function errorsIn([service]: Rpc, method: DescMethod, { errors }: Rest): ErrorCode[] {
  const hasLimit = method.input.fields.some((field) => rulesOf(field).max_distinct !== undefined);
  return [
    ...(errors as ErrorCode[]),
    ...(isPaged(method) ? (['invalid_cursor'] as const) : []),
    ...(hasLimit ? (['too_many_tickers'] as const) : []),
    CALLED[service].unavailableCode,
  ];
}
