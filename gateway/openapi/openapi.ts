import type { TObject, TSchema } from 'typebox';
import { CSRF_HEADER, SESSION_COOKIE } from '../request/session-cookie.ts';
import { SCOPES } from '#shared/scopes.ts';
import { ERROR_TABLE, type ErrorCode } from '#foundation/errors/error-codes.ts';
import {
  canStream,
  credentialOf,
  isConditional,
  isInLanguages,
  isMarketData,
  namesDataset,
  TAGS,
  type DeclaredRoute,
} from '../declarations/route.ts';
import type { Deprecation } from '#proto/saring/wire/v1/calls.ts';
import { deprecationText, hasDeprecations } from '../routing/deprecation.ts';
import { codeSamplesOf } from './code-samples.ts';
import {
  ACCEPT_LANGUAGE_HEADER,
  COST_HEADERS,
  DEPRECATION_HEADERS,
  END_USER_HEADER,
  HEADERS,
  IDEMPOTENCY_KEY_HEADER,
  IF_NONE_MATCH_HEADER,
  LAST_EVENT_ID_HEADER,
  RATE_LIMIT_HEADERS,
} from './openapi-headers.ts';
import { recordedAnswers, type RecordedAnswer } from './recorded-answers.ts';
import { OVERVIEW, TAG_DESCRIPTIONS } from './openapi-overview.ts';
import { sentToWebhooks } from './openapi-webhooks.ts';
import { ErrorEnvelope, ValidationErrorEnvelope } from '../schemas/error.ts';
import { nameOf } from '#foundation/schema.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of these routes. The same declarations are served. */
export function openApiDocument(routes: DeclaredRoute[]): Json {
  const schemas = new SchemaCollector();
  const recorded = recordedAnswers();
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const described = operation(route, schemas, recorded[route.operationId]);
    paths[route.path] = { ...paths[route.path], [route.method]: described };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Saring',
      version: '1.0.0',
      summary: 'Screens the Indonesian equity market.',
      description: OVERVIEW,
    },
    servers: [{ url: '/' }],
    tags: TAGS.map((name) => ({ name, description: TAG_DESCRIPTIONS[name] })),
    paths,
    webhooks: sentToWebhooks((schema) => schemas.reference(schema)),
    components: {
      schemas: schemas.collected,
      headers: { ...HEADERS, ...(routes.some(hasDeprecations) && DEPRECATION_HEADERS) },
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

/** Every error code that a route can return: its own, and those that follow from its access and its inputs. */
function errorCodesOf(route: DeclaredRoute): ErrorCode[] {
  const codes = new Set<ErrorCode>(route.errors);
  codes.add('internal_error').add('invalid_request').add('rate_limited');
  if (credentialOf(route) === 'operator') codes.add('operator_token_required');
  if (credentialOf(route) === 'key') {
    codes.add('missing_api_key').add('invalid_api_key').add('key_disabled').add('data_unavailable');
    if (route.method !== 'get') codes.add('csrf_token_required');
    if (route.access !== 'any key') codes.add('insufficient_scope');
  }
  if (route.needsEndUser) codes.add('missing_end_user').add('invalid_end_user');
  if (route.takesIdempotencyKey) codes.add('idempotency_conflict');
  if (route.body) codes.add('payload_too_large');
  if (route.unknownIdCode) codes.add(route.unknownIdCode);
  return [...codes];
}

function operation(route: DeclaredRoute, schemas: SchemaCollector, recorded?: RecordedAnswer): Json {
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.deprecated && { deprecated: true }),
    description: descriptionOf(route),
    security: securityOf(route),
    parameters: [
      ...parameters(route.params, 'path', schemas),
      ...parameters(route.query, 'query', schemas, route.deprecatedQuery),
      ...(route.needsEndUser ? [END_USER_HEADER] : []),
      ...(route.takesIdempotencyKey ? [IDEMPOTENCY_KEY_HEADER] : []),
      ...(isConditional(route) ? [IF_NONE_MATCH_HEADER] : []),
      ...(canStream(route) ? [LAST_EVENT_ID_HEADER] : []),
      ...(isInLanguages(route) ? [ACCEPT_LANGUAGE_HEADER] : []),
    ],
    ...(route.body && { requestBody: requestBody(route.body as TObject, schemas) }),
    responses: { ...successes(route, schemas, recorded), ...failures(route, schemas) },
    'x-codeSamples': codeSamplesOf(route),
  };
}

function descriptionOf(route: DeclaredRoute): string {
  const deprecation = route.deprecated ? [deprecationText(route.deprecated)] : [];
  return [...deprecation, route.description, accessText(route)].join('\n\n');
}

function securityOf(route: DeclaredRoute): Json[] {
  const credential = credentialOf(route);
  if (credential === 'none') return [];
  if (credential === 'operator') return [{ operator: [] }];
  const scope = route.access in SCOPES ? [route.access] : [];
  return [{ bearer: scope }, { apiKey: scope }, { session: scope }];
}

function accessText({ access }: DeclaredRoute): string {
  if (access === 'the operator') return 'Needs the operator’s token. No API key.';
  if (access === 'anybody') return 'Needs no key.';
  return access === 'any key' ? 'Needs any enabled key.' : `Needs the scope \`${access}\`.`;
}

function parameters(
  schema: TObject | undefined,
  where: 'path' | 'query',
  schemas: SchemaCollector,
  deprecated: Record<string, Deprecation> = {},
): Json[] {
  const required = schema ? requiredBy(schema) : [];
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = schemas.reference(property);
    const described = { name, in: where, description, required: required.includes(name), schema: rest };
    const deprecation = deprecated[name];
    if (deprecation === undefined) return described;
    const text = `${deprecationText(deprecation)}\n\n${description as string}`;
    return { ...described, deprecated: true, description: text };
  });
}

function requestBody(schema: TObject, schemas: SchemaCollector): Json {
  return { required: requiredBy(schema).length > 0, content: json(schemas.reference(schema)) };
}

function successes(route: DeclaredRoute, schemas: SchemaCollector, recorded?: RecordedAnswer): Json {
  const responses: Json = {};
  for (const [status, { description, schema }] of Object.entries(route.responses)) {
    const content = schemas.reference(schema);
    const examples = recorded?.status === Number(status) ? { examples: exampleFrom(recorded) } : {};
    responses[status] = {
      description,
      headers: headersOf(route, Number(status)),
      content: {
        [mediaTypeOf(route)]: { schema: content, ...examples },
        ...(route.csvOf !== undefined && CSV_CONTENT),
        ...(route.stream && { 'text/event-stream': { schema: schemas.reference(route.stream.schema) } }),
      },
    };
  }
  if (isConditional(route)) responses['304'] = { description: NOT_MODIFIED, headers: headersOf(route, 304) };
  if (route.answers === 'event stream')
    responses['204'] = { description: NO_MORE_EVENTS, headers: headersOf(route, 204) };
  return responses;
}

function exampleFrom({ body }: RecordedAnswer): Json {
  const summary = 'From a generated market: no real stock is meant. Lists are cut to two items.';
  return { recorded: { summary, value: body } };
}

function failures(route: DeclaredRoute, schemas: SchemaCollector): Json {
  const byStatus = Map.groupBy(errorCodesOf(route), (code) => ERROR_TABLE[code].http);
  const responses = [...byStatus].map(([status, codes]) => {
    const description = codes.map((code) => `\`${code}\`: ${ERROR_TABLE[code].meaning}`).join('\n\n');
    const envelope = schemas.reference(status === 422 ? ValidationErrorEnvelope : ErrorEnvelope);
    const content = json(withCodes(envelope, codes));
    return [status, { description, headers: failureHeaders(route, status), content }] as const;
  });
  return Object.fromEntries(responses);
}

/** Keywords beside `$ref` apply in addition to the schema that it refers to. These restrict `code` to the given codes. */
function withCodes(envelope: Json, codes: ErrorCode[]): Json {
  return { ...envelope, properties: { error: { properties: { code: { enum: codes } } } } };
}

function json(schema: Json): Json {
  return { 'application/json': { schema } };
}

function mediaTypeOf({ answers }: DeclaredRoute): string {
  if (answers === 'file') return 'application/octet-stream';
  return answers === 'event stream' ? 'text/event-stream' : 'application/json';
}

const CSV_CONTENT = {
  'text/csv': {
    schema: {
      type: 'string',
      description:
        'With `format=csv`: a header line, and a line for each row. A text that a spreadsheet would run as a formula has an apostrophe before it.',
    },
  },
};

function references(names: string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function headersOf(route: DeclaredRoute, status: number): Json {
  const names = ['X-Request-ID', ...deprecationHeaders(route)];
  if (credentialOf(route) === 'key') names.push(...RATE_LIMIT_HEADERS);
  if (route.costs) names.push(...COST_HEADERS);
  if (route.takesIdempotencyKey) names.push('Idempotent-Replayed');
  if (route.csvOf !== undefined) names.push('X-Next-Cursor');
  if (namesDataset(route) && status !== 202) names.push('X-Dataset-Version');
  if (isMarketData(route)) names.push('X-Data-As-Of', 'X-Data-Behind-Trading-Days');
  if (isInLanguages(route)) names.push('Vary');
  if (isInLanguages(route) && status === 200) names.push('Content-Language');
  if (isConditional(route)) names.push('ETag', 'Cache-Control');
  if (status === 202) names.push('Location', 'Retry-After');
  if (route.answers === 'file' && status === 200) names.push('Content-Disposition');
  return references(names);
}

function failureHeaders(route: DeclaredRoute, status: number): Json {
  const names = ['X-Request-ID', ...deprecationHeaders(route)];
  if (credentialOf(route) === 'key' && status !== 401) names.push(...RATE_LIMIT_HEADERS);
  if (route.costs && status === 429) names.push(...COST_HEADERS);
  if (status === 429) names.push('Retry-After');
  return references(names);
}

function deprecationHeaders(route: DeclaredRoute): string[] {
  return hasDeprecations(route) ? Object.keys(DEPRECATION_HEADERS) : [];
}

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer <API_KEY>' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description: `Session of a page of this origin, from \`POST /api/v1/sessions\`. Requests that change something need ${CSRF_HEADER} too.`,
  },
  operator: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer <OPERATOR_TOKEN>' },
};

const NO_MORE_EVENTS = 'Last-Event-ID names the final event of the stream. No body.';

const NOT_MODIFIED =
  'The response is unchanged since the one named in If-None-Match. No body. The request counts against ' +
  'the rate limit.';

/** Keyword that holds the text of validation messages. Left out of the document, as the pattern beside it says the same. */
const FOR_MESSAGES = '$comment';

/** Converts schemas to plain JSON. Each named schema is listed once and referred to everywhere else. */
export class SchemaCollector {
  readonly collected: Record<string, Json> = {};
  readonly #sources = new Map<string, object>();

  /** The schema, or a reference to it if it has a name. */
  reference(schema: TSchema): Json {
    return this.#plain(schema) as Json;
  }

  #plain(part: unknown): unknown {
    if (Array.isArray(part)) return part.map((item) => this.#plain(item));
    if (typeof part !== 'object' || part === null) return part;
    const name = nameOf(part);
    if (name === undefined) return this.#members(part);
    this.#collect(name, part);
    return { $ref: `#/components/schemas/${name}` };
  }

  #collect(name: string, schema: object): void {
    const source = this.#sources.get(name);
    if (source === schema) return;
    if (source) throw new Error(`two schemas are called ${name}`);
    this.#sources.set(name, schema);
    this.collected[name] = this.#members(schema);
  }

  #members(schema: object): Json {
    const members = Object.fromEntries(
      Object.entries(schema)
        .filter(([key]) => key !== FOR_MESSAGES)
        .map(([key, value]) => [key, this.#plain(value)]),
    );
    return Array.isArray(members['required'])
      ? { ...members, required: requiredBy(schema as TObject) }
      : members;
  }
}

/** The properties that a client must send. One with a default may be left out. */
function requiredBy({ required, properties }: TObject): string[] {
  return ((required ?? []) as string[]).filter((name) => !('default' in (properties[name] ?? {})));
}
