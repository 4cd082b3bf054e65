import type { DescField, DescMessage, DescMethod } from '@bufbuild/protobuf';
import type { TObject, TSchema, TUnsafe } from 'typebox';
import type { CheckedRequestOf } from '#shared/grpc/method-types.ts';
import { named } from '#shared/schema.ts';
import { ServiceError } from '#shared/service-error.ts';
import { commentOf, methodAt, rulesOf, rulesOfMessage } from '#shared/wire/descriptors.ts';
import { jsonOf } from '#shared/wire/message-json.ts';
import { isOfProtobuf, responseSchema, isTimestamp, requestSchema } from '#shared/wire/message-schema.ts';
import { momentOf, type MomentFormat } from '#shared/wire/moment.ts';
import { saysErrors, withErrorsIn } from '../responses/error-language.ts';
import { CsvResponse, type CsvPage } from '../responses/csv.ts';
import { JsonResponse, JsonText } from '../responses/send-json.ts';
import type { Backend } from '../backend.ts';
import type { ClientCall } from '../routing/client-call.ts';
import { defineRoute, type Route } from '../routing/define-route.ts';
import { oneOf } from '../schemas/common.ts';
import { CALLED } from '../services.ts';

type Definitions = { [Name in keyof typeof CALLED]: (typeof CALLED)[Name]['definition'] };
type Service = keyof Definitions;
/** A call: the name of its service, and its own name there. */
type Rpc = { [S in Service]: readonly [S, keyof Definitions[S] & string] }[Service];

/** Request fields about the caller, which the gateway fills. */
const OF_CALLER = {
  api_key_id: (call: ClientCall) => call.apiKeyId,
  end_user: (call: ClientCall) => call.endUser,
  language: (call: ClientCall) => call.language,
};

interface ServiceRoute extends Omit<Route, 'params' | 'query' | 'body' | 'responses' | 'handler' | 'stream'> {
  /** The call behind the route. The route takes its request and answers with its response. */
  rpc: Rpc;
  /** One sentence that describes the response. */
  answer: string;
  /** The field of the response to answer with, if it is not the whole response. */
  member?: string;
  /** REST names of request fields, where they differ. */
  names?: Record<string, string>;
  /** Request fields that the gateway fills. */
  ofCaller?: readonly (keyof typeof OF_CALLER)[];
  /** The status of the response: 201 if the call creates what it returns. 200 if undefined. */
  status?: 201;
  /** Request fields that this route does not take. */
  without?: readonly string[];
}

/**
 * Declares an endpoint that is a call of a service. Parameters, bounds, answer and their descriptions come from
 * proto/. Request fields that the path names are read from the path, the others from the query or the body.
 */
export function serviceRoute(declared: ServiceRoute): Route {
  const {
    rpc,
    answer: reply,
    member,
    names = {},
    ofCaller = [],
    without = [],
    status = 200,
    ...route
  } = declared;
  const { input, output } = methodOf(rpc);
  const restName = (field: DescField) => names[field.name] ?? field.name;
  const isInPath = (field: DescField) => route.path.includes(`{${restName(field)}}`);
  const filled: readonly string[] = [...ofCaller, ...without];
  const taken = input.fields.filter(({ name }) => !filled.includes(name));
  const ofPath = taken.filter(isInPath);
  const others = taken.filter((field) => !isInPath(field));
  const hasBody = route.method === 'post' || route.method === 'put';
  const answered = member === undefined ? output : output.field[member]!.message!;
  const json = jsonOf(answered);
  const csv = route.csvOf === undefined ? undefined : csvOf(answered, route.csvOf);
  const hasErrors = saysErrors(output);
  const hasSentences = hasErrors || ofCaller.includes('language');
  return defineRoute({
    ...route,
    ...(hasSentences && { hasSentences }),
    ...(ofPath.length > 0 && { params: requestSchema(ofPath, { names, part: 'path' }) }),
    ...(others.length > 0 && !hasBody && { query: queryOf(others, names, csv !== undefined) }),
    ...(others.length > 0 && hasBody && { body: bodyOf(input, others) }),
    fieldNames: names,
    responses: { [status]: { description: reply, schema: responseSchema(answered) } },
    handler: async ({ params, query, body }: RouteParts, call: ClientCall, { services }: Backend) => {
      const request = requestOf(taken, { ...query, ...body, ...params }, names);
      for (const field of ofCaller) request[field] = OF_CALLER[field](call);
      const given = await callOf(services, rpc)(request, call);
      const response = hasErrors ? withErrorsIn(call.language, given) : given;
      const reply = json(member === undefined ? response : memberOf(response, member));
      if (csv && (query as { format?: string }).format === 'csv') return csv(reply as Fields);
      if (status !== 200) return new JsonResponse(status, reply);
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

/** Of endpoints that `BARS_API=off` switches off. */
export const SWITCH =
  'Where the licence of the data forbids redistribution, the operator can switch this endpoint off; it is then 404 `not_found`.';

/** Names that are separated by commas. */
export function namesIn(text = ''): string[] {
  return text.split(',').map((name) => name.trim()).filter((name) => name !== ''); // prettier-ignore
}

/** How rows can be returned, apart from the request to the service. */
export const FORMAT = oneOf(['json', 'csv'], {
  default: 'json',
  description: 'Form of the response: `json`, or the rows alone as `csv`. Errors are always JSON.',
});

function queryOf(fields: readonly DescField[], names: Record<string, string>, isAlsoCsv: boolean): TObject {
  const query = requestSchema(fields, { names });
  return isAlsoCsv ? { ...query, properties: { ...query.properties, format: FORMAT } } : query;
}

/** Converts an answer to a CSV of one of its lists. */
function csvOf(answered: DescMessage, list: string): (answer: Fields) => CsvResponse {
  const columns = Object.keys(responseSchema(answered.field[list]!.message!).properties);
  return (answer) => new CsvResponse(columns, answer[list] as object[], answer as unknown as CsvPage);
}

/** Converts a client's inputs to the service's request: renames fields to the service's names, and parses timestamps. */
export function requestOf(
  fields: readonly DescField[],
  sent: Fields,
  names: Record<string, string> = {},
): Fields {
  const request: Fields = {};
  for (const field of fields) {
    const value = sent[names[field.name] ?? field.name];
    if (value !== undefined && value !== null) request[field.name] = valueOf(field, value);
    else if (field.fieldKind === 'list') request[field.name] = [];
  }
  return request;
}

function valueOf(field: DescField, sent: unknown): unknown {
  if (isTimestamp(field)) return momentOf(rulesOf(field).format as MomentFormat, sent as string);
  const isObject = field.fieldKind === 'message' && !isOfProtobuf(field.message);
  return isObject ? requestOf(field.message.fields, sent as Fields) : sent;
}

function memberOf(response: Fields, member: string): unknown {
  if (response[member] === undefined) throw new Error(`a service answered without ${member}`);
  return response[member];
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

export function methodOf([service, name]: Rpc): DescMethod {
  const methods = CALLED[service].definition as unknown as Record<string, { path: string }>;
  return methodAt(methods[name]!.path)!;
}

/** The schema of an object, typed like the message. */
type TypedObject<T> = TObject<{ [Name in keyof T]-?: TUnsafe<T[Name]> }>;
/** Optional members of a body may be null. */
type Sent<T> = { [Name in keyof T]: undefined extends T[Name] ? T[Name] | null : T[Name] };

type RequestTo<S extends Service, M extends keyof Definitions[S]> = CheckedRequestOf<Definitions[S][M]>;

/** The body schema of a call: these fields of its request. */
export function bodySchema<
  S extends Service,
  M extends keyof Definitions[S] & string,
  Name extends keyof RequestTo<S, M> & string,
>(rpc: readonly [S, M], names: readonly Name[]): TypedObject<Sent<Pick<RequestTo<S, M>, Name>>> {
  const { input } = methodOf(rpc as unknown as Rpc);
  return bodyOf(input, fieldsOf(input, names)) as never;
}

function bodyOf(message: DescMessage, fields: readonly DescField[]): TObject {
  const schema = requestSchema(fields, { description: commentOf(message), part: 'body' });
  return named(rulesOfMessage(message).schema || message.name, schema);
}

/** The path schema of a call: these fields of its request. */
export function pathSchema<
  S extends Service,
  M extends keyof Definitions[S] & string,
  Name extends keyof RequestTo<S, M> & string,
>(rpc: readonly [S, M], names: readonly Name[]): TypedObject<Pick<RequestTo<S, M>, Name>> {
  return requestSchema(fieldsOf(methodOf(rpc as unknown as Rpc).input, names), { part: 'path' }) as never;
}

/** The same for the query. */
export function querySchema<
  S extends Service,
  M extends keyof Definitions[S] & string,
  Name extends keyof RequestTo<S, M> & string,
>(rpc: readonly [S, M], names: readonly Name[]): TypedObject<Pick<RequestTo<S, M>, Name>> {
  return requestSchema(fieldsOf(methodOf(rpc as unknown as Rpc).input, names)) as never;
}

function fieldsOf({ fields }: DescMessage, names: readonly string[]): DescField[] {
  return names.map((name) => fields.find((field) => field.name === name)!);
}

/** The response schema of a call, for a route with its own handler. */
export function responseOf(rpc: Rpc): TSchema {
  return responseSchema(methodOf(rpc).output);
}
