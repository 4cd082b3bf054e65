import type { DescField, DescMessage, DescMethod } from '@bufbuild/protobuf';
import type { TObject } from 'typebox';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { Rest } from '#proto/saring/wire/v1/calls.ts';
import { commentOf, routesOf } from '#platform/wire/descriptors.ts';
import { jsonOf } from '#platform/wire/message-json.ts';
import { isOfProtobuf, responseSchema, requestSchema } from '#platform/wire/message-schema.ts';
import { saysErrors, withErrorsIn } from '../responses/error-language.ts';
import { CsvResponse, type CsvPage } from '../responses/csv.ts';
import { JsonResponse, JsonText } from '../responses/send-json.ts';
import type { Backend } from '../backend/backend.ts';
import { CALLED } from '../declarations/called-services.ts';
import type { ClientCall } from '../request/client-call.ts';
import { defineRoute, type Route } from './define-route.ts';
import { bodyOf, FORMAT, methodOf, requestOf, type Rpc, type Service } from '../declarations/call-schemas.ts';
import { factsIn, type RouteFacts } from '../declarations/route-facts.ts';

/**
 * The routes that are one call of a service and nothing else. Everything about them follows from proto/: parameters, bounds, answer,
 * errors and all descriptions.
 * @param withHandler operations that have a handler of their own
 */
export function callRoutes(withHandler: ReadonlySet<string>): Route[] {
  const calls = Object.entries(CALLED).flatMap(([service, { definition }]) =>
    Object.keys(definition).map((name) => [service as Service, name] as unknown as Rpc),
  );
  return calls.flatMap((rpc) => {
    const method = methodOf(rpc);
    return routesOf(method)
      .map((rest) => ({ rest, facts: factsIn(rpc, method, rest) }))
      .filter(({ facts }) => !withHandler.has(facts.operationId))
      .map(({ rest, facts }) => callRoute(rpc, method, rest, facts));
  });
}

function callRoute(rpc: Rpc, method: DescMethod, rest: Rest, facts: RouteFacts): Route {
  const { input, output } = method;
  const { names } = rest;
  const ofCaller = filledIn(input, rest);
  const notTaken: readonly string[] = [...ofCaller, ...rest.without];
  const taken = input.fields.filter(({ name }) => !notTaken.includes(name));
  const isInPath = ({ name }: DescField) => facts.path.includes(`{${names[name] ?? name}}`);
  const ofPath = taken.filter(isInPath);
  const others = taken.filter((field) => !isInPath(field));
  const hasBody = facts.method === 'post' || facts.method === 'put';
  const member = memberOf(output);
  const answered = member?.message ?? output;
  const json = jsonOf(answered);
  const csv = rest.csv === '' ? undefined : csvOf(answered, rest.csv);
  const hasErrors = saysErrors(output);
  const hasSentences = hasErrors || ofCaller.includes('language');
  return defineRoute({
    ...facts,
    ...(csv && { description: `${facts.description} ${CSV}` }),
    ...(hasSentences && { hasSentences }),
    ...(showsFreshness(output) && { showsFreshness: true }),
    ...(ofPath.length > 0 && { params: requestSchema(ofPath, { names, part: 'path' }) }),
    ...(others.length > 0 && !hasBody && { query: queryOf(others, names, csv !== undefined) }),
    ...(others.length > 0 && hasBody && { body: bodyOf(input, others) }),
    responses: {
      [rest.created ? 201 : 200]: { description: commentOf(output), schema: responseSchema(answered) },
    },
    handler: async ({ params, query, body }: RouteParts, call: ClientCall, { services }: Backend) => {
      const request = requestOf(taken, { ...query, ...body, ...params }, names);
      for (const field of ofCaller) request[field] = OF_CALLER[field](call);
      const given = await callOf(services, rpc)(request, call);
      const response = hasErrors ? withErrorsIn(call.language, given) : given;
      const reply = json(member ? presentIn(response, member.name) : response);
      if (csv && (query as { format?: string }).format === 'csv') return csv(reply as Fields);
      if (rest.created) return new JsonResponse(201, reply);
      if (!hasSentences) return reply;
      const version = (reply as Fields)['dataset_version'] as string | undefined;
      return new JsonText(JSON.stringify(reply), version, call.language);
    },
  });
}

interface RouteParts {
  params: object;
  query: object;
  body: object;
}

type Fields = Record<string, unknown>;

/** Request fields about the caller. */
const OF_CALLER = {
  api_key_id: (call: ClientCall) => call.apiKeyId,
  end_user: (call: ClientCall) => call.endUser,
  language: (call: ClientCall) => call.language,
};

/** Accesses that cover every key. Their calls take the id of a key, if any, as a filter. */
const OF_EVERY_KEY = ['usage:admin', 'the operator'];

/** The fields that the gateway fills from the caller. */
function filledIn({ fields }: DescMessage, { access, needs_end_user }: Rest): (keyof typeof OF_CALLER)[] {
  const filled = {
    api_key_id: !OF_EVERY_KEY.includes(access),
    end_user: needs_end_user,
    language: true,
  };
  return (Object.keys(filled) as (keyof typeof filled)[]).filter(
    (name) => filled[name] && fields.some((field) => field.name === name),
  );
}

/** The only field of a response, if it is a message: it is the answer. */
function memberOf({ fields }: DescMessage): DescField | undefined {
  const [only] = fields;
  return fields.length === 1 && only!.fieldKind === 'message' && !isOfProtobuf(only!.message)
    ? only
    : undefined;
}

function presentIn(response: Fields, member: string): unknown {
  if (response[member] === undefined) throw new Error(`a service answered without ${member}`);
  return response[member];
}

/** How fresh the dataset is changes with time and with the feed. */
function showsFreshness({ fields }: DescMessage): boolean {
  return fields.some(({ message }) => message?.typeName === 'saring.market_data.v1.Freshness');
}

function queryOf(fields: readonly DescField[], names: Record<string, string>, isAlsoCsv: boolean): TObject {
  const query = requestSchema(fields, { names });
  return isAlsoCsv ? { ...query, properties: { ...query.properties, format: FORMAT } } : query;
}

const CSV =
  '`format=csv` returns the rows alone as CSV with a header line: the fields of a row in the order of the schema, an empty cell ' +
  'for null. The cursor of the next page is then in the header `X-Next-Cursor`.';

/** Converts an answer to a CSV of one of its lists. */
function csvOf(answered: DescMessage, list: string): (answer: Fields) => CsvResponse {
  const columns = Object.keys(responseSchema(answered.field[list]!.message!).properties);
  return (answer) => new CsvResponse(columns, answer[list] as object[], answer as unknown as CsvPage);
}

type AnyCall = (request: Fields, call: ClientCall) => Promise<Fields>;

/** @throws ServiceError if the gateway has no address for the service, which is possible only for optional ones */
function callOf(services: Backend['services'], [service, name]: Rpc): AnyCall {
  if (!services[service])
    throw new ServiceError(
      'data_unavailable',
      `This gateway does not know the ${service}. Set ${CALLED[service].address}.`,
    );
  return (services[service] as unknown as Record<string, AnyCall>)[name]!;
}
