import type { TObject } from 'typebox';
import { SCOPES } from '#shared/scopes.ts';
import { ERROR_TABLE, type ErrorCode } from '#shared/service-error.ts';
import { ERROR_MEANINGS, ErrorEnvelope, ValidationErrorEnvelope } from '../schemas/error.ts';
import { isConditional, namesDataset, TAGS, type Route } from './define-route.ts';
import {
  END_USER_HEADER,
  HEADERS,
  IDEMPOTENCY_KEY_HEADER,
  IF_NONE_MATCH_HEADER,
  LAST_EVENT_ID_HEADER,
  RATE_LIMIT_HEADERS,
} from './openapi-headers.ts';
import { OVERVIEW, TAG_DESCRIPTIONS } from './openapi-text.ts';
import { requiredBy, SchemaCollector } from './schema-collector.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of these routes: what is served is what is declared. */
export function openApiDocument(routes: Route[]): Json {
  const schemas = new SchemaCollector();
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operation(route, schemas) };
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
    components: { schemas: schemas.collected, headers: HEADERS, securitySchemes: SECURITY_SCHEMES },
  };
}

/** Every code a route can answer: its own, and those its access and inputs imply. */
export function errorCodesOf(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>(route.errors);
  codes.add('internal_error').add('invalid_request');
  if (route.access !== 'anybody') {
    codes
      .add('missing_api_key')
      .add('invalid_api_key')
      .add('key_disabled')
      .add('rate_limited')
      .add('data_unavailable');
    if (route.access !== 'any key') codes.add('insufficient_scope');
  }
  if (route.needsEndUser) codes.add('missing_end_user').add('invalid_end_user');
  if (route.takesIdempotencyKey) codes.add('idempotency_conflict');
  if (route.body) codes.add('payload_too_large');
  if (route.unknownIdCode) codes.add(route.unknownIdCode);
  return [...codes];
}

function operation(route: Route, schemas: SchemaCollector): Json {
  const scope = route.access in SCOPES ? [route.access] : [];
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: `${route.description}\n\n${accessText(route)}`,
    security: route.access === 'anybody' ? [] : [{ bearer: scope }, { apiKey: scope }],
    parameters: [
      ...parameters(route.params, 'path', schemas),
      ...parameters(route.query, 'query', schemas),
      ...(route.needsEndUser ? [END_USER_HEADER] : []),
      ...(route.takesIdempotencyKey ? [IDEMPOTENCY_KEY_HEADER] : []),
      ...(isConditional(route) ? [IF_NONE_MATCH_HEADER] : []),
      ...(route.answers === 'an event stream' ? [LAST_EVENT_ID_HEADER] : []),
    ],
    ...(route.body && { requestBody: requestBody(route.body as TObject, schemas) }),
    responses: { ...successes(route, schemas), ...failures(route, schemas) },
  };
}

function accessText({ access }: Route): string {
  if (access === 'anybody') return 'No key needed.';
  return access === 'any key' ? 'Any enabled key.' : `Scope: \`${access}\`.`;
}

function parameters(schema: TObject | undefined, where: 'path' | 'query', schemas: SchemaCollector): Json[] {
  const required = schema ? requiredBy(schema) : [];
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = schemas.reference(property);
    return { name, in: where, description, required: required.includes(name), schema: rest };
  });
}

function requestBody(schema: TObject, schemas: SchemaCollector): Json {
  return { required: requiredBy(schema).length > 0, content: json(schemas.reference(schema)) };
}

function successes(route: Route, schemas: SchemaCollector): Json {
  const answers: Json = {};
  for (const [status, { description, schema }] of Object.entries(route.responses)) {
    const content = schemas.reference(schema);
    answers[status] = {
      description,
      headers: headersOf(route, Number(status)),
      content: { [mediaTypeOf(route)]: { schema: content } },
    };
  }
  if (isConditional(route)) answers['304'] = { description: NOT_MODIFIED, headers: headersOf(route, 304) };
  if (route.answers === 'an event stream')
    answers['204'] = { description: NO_MORE_EVENTS, headers: headersOf(route, 204) };
  return answers;
}

function failures(route: Route, schemas: SchemaCollector): Json {
  const byStatus = Map.groupBy(errorCodesOf(route), (code) => ERROR_TABLE[code].http);
  const answers = [...byStatus].map(([status, codes]) => {
    const description = codes.map((code) => `\`${code}\`: ${ERROR_MEANINGS[code]}`).join('\n\n');
    const envelope = schemas.reference(status === 422 ? ValidationErrorEnvelope : ErrorEnvelope);
    const content = json(withCodes(envelope, codes));
    return [status, { description, headers: failureHeaders(route, status), content }] as const;
  });
  return Object.fromEntries(answers);
}

/** What stands beside `$ref` holds besides what is referred to: of all codes only these. */
function withCodes(envelope: Json, codes: ErrorCode[]): Json {
  return { ...envelope, properties: { error: { properties: { code: { enum: codes } } } } };
}

function json(schema: Json): Json {
  return { 'application/json': { schema } };
}

function mediaTypeOf({ answers }: Route): string {
  if (answers === undefined) return 'application/json';
  return answers === 'a file' ? 'application/octet-stream' : 'text/event-stream';
}

function references(names: string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function headersOf(route: Route, status: number): Json {
  const names = ['X-Request-ID'];
  if (route.access !== 'anybody') names.push(...RATE_LIMIT_HEADERS);
  if (route.takesIdempotencyKey) names.push('Idempotent-Replayed');
  if (namesDataset(route) && status !== 202) names.push('X-Dataset-Version');
  if (isConditional(route)) names.push('ETag', 'Cache-Control');
  if (route.answers === 'a file' && status === 200) names.push('Content-Disposition');
  return references(names);
}

function failureHeaders({ access }: Route, status: number): Json {
  const names = ['X-Request-ID'];
  if (access !== 'anybody' && status !== 401) names.push(...RATE_LIMIT_HEADERS);
  if (status === 429) names.push('Retry-After');
  return references(names);
}

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer <API_KEY>' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
};

const NO_MORE_EVENTS = 'Last-Event-ID names the last event that there will be. No body.';

const NOT_MODIFIED =
  'If-None-Match names the answer as it still is. No body; the request counts against the limit.';
