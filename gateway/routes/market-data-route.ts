import type { DescField, DescMethod } from '@bufbuild/protobuf';
import type { TObject, TSchema } from 'typebox';
import { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import { commentOf, methodAt, rulesOfMessage } from '#shared/wire/descriptors.ts';
import { jsonOf } from '#shared/wire/message-json.ts';
import { answerSchema, requestSchema } from '#shared/wire/message-schema.ts';
import { named } from '#shared/schema.ts';
import type { Backend } from '../backend.ts';
import type { ClientCall } from '../routing/client-call.ts';
import { defineRoute, type Route } from '../routing/define-route.ts';

type Rpc = keyof MarketDataServiceService;

interface MarketDataRoute extends Pick<
  Route,
  'method' | 'path' | 'operationId' | 'summary' | 'description' | 'errors'
> {
  /** The call of market-data that answers. Its request is what the route takes, its response what it answers. */
  rpc: Rpc;
  /** What the answer is, in a sentence. */
  answer: string;
  /** Names of request fields that REST calls otherwise. */
  names?: Record<string, string>;
}

/**
 * An endpoint that is a call of market-data: parameters, bounds, answer and their descriptions stand in
 * market_data.proto. Fields of the request that the path names come from there, the others from the query or the body.
 */
export function marketDataRoute({ rpc, answer, names = {}, ...route }: MarketDataRoute): Route {
  const { input, output } = methodOf(rpc);
  const restName = (field: DescField) => names[field.name] ?? field.name;
  const isInPath = (field: DescField) => route.path.includes(`{${restName(field)}}`);
  const ofPath = input.fields.filter(isInPath);
  const others = input.fields.filter((field) => !isInPath(field));
  const json = jsonOf(output);
  return defineRoute({
    ...route,
    tag: 'Market data',
    access: 'data:read',
    rests: 'on the dataset',
    ...(ofPath.length > 0 && {
      params: requestSchema(ofPath, { names }),
      unknownIdCode: 'not_found' as const,
    }),
    ...(others.length > 0 && route.method === 'get' && { query: requestSchema(others, { names }) }),
    ...(route.method === 'post' && { body: bodySchema(rpc) }),
    fieldNames: names,
    responses: { 200: { description: answer, schema: answerSchema(output) } },
    handler: async (input: RouteParts, call: ClientCall, { services }: Backend) => {
      const request = requestOf(input);
      return json(await services.marketData[rpc](request as never, call));
    },
  });

  function requestOf({ params, query, body }: RouteParts): Record<string, unknown> {
    const request: Record<string, unknown> = { ...query, ...body, ...params };
    for (const [field, name] of Object.entries(names)) {
      request[field] = request[name];
      delete request[name];
    }
    return request;
  }
}

interface RouteParts {
  params: object;
  query: object;
  body: object;
}

export function methodOf(rpc: Rpc): DescMethod {
  return methodAt(MarketDataServiceService[rpc].path)!;
}

function bodySchema(rpc: Rpc): TObject {
  const { input } = methodOf(rpc);
  const schema = requestSchema(input.fields, { description: commentOf(input) });
  return named(rulesOfMessage(input).schema || input.name, schema);
}

/** What a call of market-data answers, for a route that asks for it in its own way. */
export function answerOf(rpc: Rpc): TSchema {
  return answerSchema(methodOf(rpc).output);
}
