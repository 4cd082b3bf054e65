import type { DescField, DescMessage, DescMethod } from '@bufbuild/protobuf';
import type { TObject, TSchema, TUnsafe } from 'typebox';
import { ConsentServiceService } from '#proto/saring/consent/v1/consent.ts';
import { KeysServiceService } from '#proto/saring/keys/v1/keys.ts';
import { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import { BackfillsServiceService } from '#proto/saring/models/v1/backfills.ts';
import { CatalogueServiceService } from '#proto/saring/models/v1/catalogue.ts';
import { RecordServiceService } from '#proto/saring/models/v1/record.ts';
import { RunsServiceService } from '#proto/saring/models/v1/runs.ts';
import { SchedulerServiceService } from '#proto/saring/scheduler/v1/scheduler.ts';
import { UsageServiceService } from '#proto/saring/usage/v1/usage.ts';
import type { CheckedRequestOf } from '#shared/grpc/method-types.ts';
import { named } from '#shared/schema.ts';
import { ServiceError } from '#shared/service-error.ts';
import { commentOf, methodAt, rulesOf, rulesOfMessage } from '#shared/wire/descriptors.ts';
import { jsonOf } from '#shared/wire/message-json.ts';
import { answerSchema, isTimestamp, requestSchema } from '#shared/wire/message-schema.ts';
import { momentOf, type MomentFormat } from '#shared/wire/moment.ts';
import { saysErrors, withErrorsIn } from '../answers/error-language.ts';
import { JsonText } from '../answers/send-json.ts';
import type { Backend } from '../backend.ts';
import type { ClientCall } from '../routing/client-call.ts';
import { defineRoute, type Route } from '../routing/define-route.ts';

/** Services whose calls are endpoints, as `Services` names their clients. */
const DEFINITIONS = {
  marketData: MarketDataServiceService,
  usage: UsageServiceService,
  consent: ConsentServiceService,
  catalogue: CatalogueServiceService,
  runs: RunsServiceService,
  backfills: BackfillsServiceService,
  record: RecordServiceService,
  keys: KeysServiceService,
  datasets: DatasetServiceService,
  scheduler: SchedulerServiceService,
};

type Definitions = typeof DEFINITIONS;
type Service = keyof Definitions;
/** A call: the client of its service, and its name there. */
type Rpc = { [S in Service]: readonly [S, keyof Definitions[S] & string] }[Service];

/** Fields of a request that say who asks, and in which language; the gateway knows them. */
const OF_CALLER = {
  api_key_id: (call: ClientCall) => call.apiKeyId,
  end_user: (call: ClientCall) => call.endUser,
  language: (call: ClientCall) => call.language,
};

interface ServiceRoute extends Omit<Route, 'params' | 'query' | 'body' | 'responses' | 'handler'> {
  /** The call that answers. Its request is what the route takes, its response what it answers. */
  rpc: Rpc;
  /** What the answer is, in a sentence. */
  answer: string;
  /** The field of the response that is answered, where that is not all of it. */
  member?: string;
  /** Names of request fields that REST calls otherwise. */
  names?: Record<string, string>;
  /** Request fields that the gateway fills. */
  ofCaller?: readonly (keyof typeof OF_CALLER)[];
  /** Request fields that this route does not take. */
  without?: readonly string[];
}

/**
 * An endpoint that is a call of a service: parameters, bounds, answer and their descriptions stand in proto/. Fields of
 * the request that the path names come from there, the others from the query or the body.
 */
export function serviceRoute(declared: ServiceRoute): Route {
  const { rpc, answer, member, names = {}, ofCaller = [], without = [], ...route } = declared;
  const { input, output } = methodOf(rpc);
  const restName = (field: DescField) => names[field.name] ?? field.name;
  const isInPath = (field: DescField) => route.path.includes(`{${restName(field)}}`);
  const filled: readonly string[] = [...ofCaller, ...without];
  const taken = input.fields.filter(({ name }) => !filled.includes(name));
  const ofPath = taken.filter(isInPath);
  const others = taken.filter((field) => !isInPath(field));
  const answered = member === undefined ? output : output.field[member]!.message!;
  const json = jsonOf(answered);
  const hasErrors = saysErrors(output);
  const hasSentences = hasErrors || ofCaller.includes('language');
  return defineRoute({
    ...route,
    ...(hasSentences && { hasSentences }),
    ...(ofPath.length > 0 && { params: requestSchema(ofPath, { names, part: 'path' }) }),
    ...(others.length > 0 && route.method === 'get' && { query: requestSchema(others, { names }) }),
    ...(others.length > 0 && route.method === 'post' && { body: bodyOf(input, others) }),
    fieldNames: names,
    responses: { 200: { description: answer, schema: answerSchema(answered) } },
    handler: async ({ params, query, body }: RouteParts, call: ClientCall, { services }: Backend) => {
      const request = requestOf(taken, { ...query, ...body, ...params }, names);
      for (const field of ofCaller) request[field] = OF_CALLER[field](call);
      const given = await callOf(services, rpc)(request, call);
      const response = hasErrors ? withErrorsIn(call.language, given) : given;
      const answer = json(member === undefined ? response : memberOf(response, member));
      if (!hasSentences) return answer;
      const version = response['dataset_version'] as string | undefined;
      return new JsonText(JSON.stringify(answer), version, call.language);
    },
  });
}

interface RouteParts {
  params: object;
  query: object;
  body: object;
}

type Fields = Record<string, unknown>;

/** What the service is sent for what the client has sent: fields by their own names, and moments as such. */
function requestOf(fields: readonly DescField[], sent: Fields, names: Record<string, string>): Fields {
  const request: Fields = {};
  for (const field of fields) {
    const value = sent[names[field.name] ?? field.name];
    if (value === undefined || value === null) continue;
    request[field.name] = isTimestamp(field)
      ? momentOf(rulesOf(field).format as MomentFormat, value as string)
      : value;
  }
  return request;
}

function memberOf(response: Fields, member: string): unknown {
  if (response[member] === undefined) throw new Error(`a service answered without ${member}`);
  return response[member];
}

type AnyCall = (request: Fields, call: ClientCall) => Promise<Fields>;

/** @throws ServiceError where the gateway does not know the service, which only the scheduler may be */
function callOf(services: Backend['services'], [service, name]: Rpc): AnyCall {
  if (!services[service])
    throw new ServiceError(
      'data_unavailable',
      'This gateway does not know the scheduler: SCHEDULER_ADDRESS.',
    );
  return (services[service] as unknown as Record<string, AnyCall>)[name]!;
}

export function methodOf([service, name]: Rpc): DescMethod {
  const methods = DEFINITIONS[service] as unknown as Record<string, { path: string }>;
  return methodAt(methods[name]!.path)!;
}

/** The schema of an object, with the type that the message has. */
type TypedObject<T> = TObject<{ [Name in keyof T]-?: TUnsafe<T[Name]> }>;
/** In a body what is optional may be null. */
type Sent<T> = { [Name in keyof T]: undefined extends T[Name] ? T[Name] | null : T[Name] };

type RequestTo<S extends Service, M extends keyof Definitions[S]> = CheckedRequestOf<Definitions[S][M]>;

/** What a client sends as the body of a call: these fields of its request. */
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

/** What a client sends in the path of a call: these fields of its request. */
export function pathSchema<
  S extends Service,
  M extends keyof Definitions[S] & string,
  Name extends keyof RequestTo<S, M> & string,
>(rpc: readonly [S, M], names: readonly Name[]): TypedObject<Pick<RequestTo<S, M>, Name>> {
  return requestSchema(fieldsOf(methodOf(rpc as unknown as Rpc).input, names), { part: 'path' }) as never;
}

/** The same of the query. */
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

/** What a call answers, for a route that asks for it in its own way. */
export function answerOf(rpc: Rpc): TSchema {
  return answerSchema(methodOf(rpc).output);
}
