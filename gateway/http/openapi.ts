import type { TObject } from 'typebox';
import { SCOPES } from '#shared/scopes.ts';
import { ERROR_TABLE, type ErrorCode } from '#shared/service-error.ts';
import { END_USER_PATTERN } from '../auth/end-user.ts';
import { ERROR_MEANINGS, ErrorEnvelope, ValidationErrorEnvelope } from '../schemas/error.ts';
import { isConditional, namesDataset, TAGS, type Route } from './define-route.ts';
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
      ...(isConditional(route) ? [IF_NONE_MATCH_HEADER] : []),
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
      content: route.answers ? file(content) : json(content),
    };
  }
  if (isConditional(route)) answers['304'] = { description: NOT_MODIFIED, headers: headersOf(route, 304) };
  return answers;
}

function failures(route: Route, schemas: SchemaCollector): Json {
  const byStatus = Map.groupBy(errorCodesOf(route), (code) => ERROR_TABLE[code].http);
  const answers = [...byStatus].map(([status, codes]) => {
    const description = codes.map((code) => `\`${code}\`: ${ERROR_MEANINGS[code]}`).join('\n\n');
    const schema = schemas.reference(status === 422 ? ValidationErrorEnvelope : ErrorEnvelope);
    return [status, { description, headers: failureHeaders(status), content: json(schema) }] as const;
  });
  return Object.fromEntries(answers);
}

function json(schema: Json): Json {
  return { 'application/json': { schema } };
}

function file(schema: Json): Json {
  return { 'application/octet-stream': { schema } };
}

function references(names: string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function headersOf(route: Route, status: number): Json {
  const names = ['X-Request-ID'];
  if (route.access !== 'anybody') names.push('X-RateLimit-Limit', 'X-RateLimit-Remaining', 'RateLimit');
  if (namesDataset(route) && status !== 202) names.push('X-Dataset-Version');
  if (isConditional(route)) names.push('ETag', 'Cache-Control');
  if (route.answers && status === 200) names.push('Content-Disposition');
  return references(names);
}

function failureHeaders(status: number): Json {
  return references(status === 429 ? ['X-Request-ID', 'Retry-After'] : ['X-Request-ID']);
}

const HEADERS = {
  'X-Request-ID': {
    description:
      'Id of this request, `req_` followed by hex. It is in our logs: quote it when you ask about a request.',
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': { description: 'Requests per minute of this key.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'Requests left in this window.', schema: { type: 'integer' } },
  RateLimit: {
    description: 'The same as the IETF draft writes it, with the seconds until the window ends.',
    schema: { type: 'string', examples: ['limit=60, remaining=59, reset=60'] },
  },
  'Content-Disposition': {
    description: 'Says under which name the file may be stored.',
    schema: { type: 'string', examples: ['attachment; filename="job_5f0c6f1e9a3b4d2c8e7f6a5b.onnx"'] },
  },
  'X-Dataset-Version': {
    description:
      'Dataset version answered from, as in `dataset_version`; of a job, the one its result rests on, and absent ' +
      'without a result.',
    schema: { type: 'string', examples: ['synthetic-20240628-1'] },
  },
  ETag: {
    description:
      'Changes whenever the answer does. Send it as If-None-Match to be told 304 while it has not.',
    schema: { type: 'string', examples: ['W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"'] },
  },
  'Cache-Control': {
    description: 'The answer may be kept by its client alone, and must be revalidated before each use.',
    schema: { type: 'string', const: 'private, no-cache' },
  },
  'Retry-After': { description: 'Whole seconds to wait.', schema: { type: 'integer' } },
};

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer <API_KEY>' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
};

const NOT_MODIFIED =
  'If-None-Match names the answer as it still is. No body; the request counts against the limit.';

const IF_NONE_MATCH_HEADER = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'ETag of the answer you have: while it is still the answer, 304 comes without a body.',
  schema: { type: 'string', examples: ['W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"'] },
};

const END_USER_HEADER = {
  name: 'X-End-User',
  in: 'header',
  required: true,
  description:
    'Opaque, stable id of your application’s user; 1 to 64 characters out of A-Z, a-z, 0-9, dot, underscore and ' +
    'hyphen (no e-mail addresses). Ids belong to your key. A fresh id per request is accepted but makes the usage ' +
    'history meaningless.',
  schema: { type: 'string', pattern: END_USER_PATTERN, examples: ['user-42'] },
};
