import type { TObject, TSchema } from 'typebox';
import { CSRF_HEADER, SESSION_COOKIE } from '../auth/session-cookie.ts';
import { SCOPES } from '#shared/scopes.ts';
import { ERROR_TABLE, type ErrorCode } from '#shared/error-codes.ts';
import {
  canStream,
  credentialOf,
  isConditional,
  isInLanguages,
  isMarketData,
  namesDataset,
  TAGS,
  type DeclaredRoute,
  type Deprecation,
} from '../routing/route.ts';
import { deprecationText, hasDeprecations } from '../routing/deprecation.ts';
import {
  ACCEPT_LANGUAGE_HEADER,
  DEPRECATION_HEADERS,
  END_USER_HEADER,
  HEADERS,
  IDEMPOTENCY_KEY_HEADER,
  IF_NONE_MATCH_HEADER,
  LAST_EVENT_ID_HEADER,
  RATE_LIMIT_HEADERS,
} from './openapi-headers.ts';
import { ERROR_PAGES } from '../responses/errors.ts';
import { sentToWebhooks } from './openapi-webhooks.ts';
import { ErrorEnvelope, ValidationErrorEnvelope } from '../schemas/error.ts';
import { nameOf } from '#shared/schema.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of these routes. The same declarations are served. */
export function openApiDocument(routes: DeclaredRoute[]): Json {
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
    webhooks: sentToWebhooks((schema) => schemas.reference(schema)),
    components: {
      schemas: schemas.collected,
      headers: { ...HEADERS, ...(routes.some(hasDeprecations) && DEPRECATION_HEADERS) },
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

/** Every error code that a route can return: its own, and those that follow from its access and its inputs. */
export function errorCodesOf(route: DeclaredRoute): ErrorCode[] {
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

function operation(route: DeclaredRoute, schemas: SchemaCollector): Json {
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
    responses: { ...successes(route, schemas), ...failures(route, schemas) },
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

function successes(route: DeclaredRoute, schemas: SchemaCollector): Json {
  const responses: Json = {};
  for (const [status, { description, schema }] of Object.entries(route.responses)) {
    const content = schemas.reference(schema);
    responses[status] = {
      description,
      headers: headersOf(route, Number(status)),
      content: {
        [mediaTypeOf(route)]: { schema: content },
        ...(route.csvOf !== undefined && CSV_CONTENT),
        ...(route.stream && { 'text/event-stream': { schema: schemas.reference(route.stream.schema) } }),
      },
    };
  }
  if (isConditional(route)) responses['304'] = { description: NOT_MODIFIED, headers: headersOf(route, 304) };
  if (route.answers === 'an event stream')
    responses['204'] = { description: NO_MORE_EVENTS, headers: headersOf(route, 204) };
  return responses;
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

function mediaTypeOf({ answers: responses }: DeclaredRoute): string {
  if (responses === undefined) return 'application/json';
  return responses === 'a file' ? 'application/octet-stream' : 'text/event-stream';
}

const CSV_CONTENT = {
  'text/csv': {
    schema: { type: 'string', description: 'With `format=csv`: a header line, and a line for each row.' },
  },
};

function references(names: string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function headersOf(route: DeclaredRoute, status: number): Json {
  const names = ['X-Request-ID', ...deprecationHeaders(route)];
  if (credentialOf(route) === 'key') names.push(...RATE_LIMIT_HEADERS);
  if (route.takesIdempotencyKey) names.push('Idempotent-Replayed');
  if (route.csvOf !== undefined) names.push('X-Next-Cursor');
  if (namesDataset(route) && status !== 202) names.push('X-Dataset-Version');
  if (isMarketData(route)) names.push('X-Data-As-Of', 'X-Data-Behind-Trading-Days');
  if (isInLanguages(route)) names.push('Vary');
  if (isInLanguages(route) && status === 200) names.push('Content-Language');
  if (isConditional(route)) names.push('ETag', 'Cache-Control');
  if (status === 202) names.push('Location', 'Retry-After');
  if (route.answers === 'a file' && status === 200) names.push('Content-Disposition');
  return references(names);
}

function failureHeaders(route: DeclaredRoute, status: number): Json {
  const names = ['X-Request-ID', ...deprecationHeaders(route)];
  if (credentialOf(route) === 'key' && status !== 401) names.push(...RATE_LIMIT_HEADERS);
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

const TAG_DESCRIPTIONS: Record<(typeof TAGS)[number], string> = {
  System: 'Health and scopes.',
  Sessions: 'Browsers that are signed in with a key and do not keep it.',
  Models: 'The published screening models and their parameters.',
  'Runs and jobs': 'Run a model and retrieve its result.',
  Backfills:
    'Run a model over many past days as one job. The results are history, and not part of the record.',
  'Market data': 'Synchronous reads from the analysed dataset.',
  Screens: 'Rules on fields that end users keep, and who is in them day by day.',
  Watchlists: 'Lists of tickers that end users keep.',
  Events: 'What has happened to the calling key, as a list or as a stream.',
  Webhooks: 'Endpoints of your application, to which events are delivered.',
  Usage: 'Recorded model runs of the calling key.',
  'Admin usage': 'Recorded model runs of all keys and channels, for the operator.',
  Operator: 'State of the fleet for its operator, read only. Available if the operator has enabled it.',
  Consent: 'The disclaimer that end users must accept before they see results.',
};

/** What a developer needs to know before the first call. */
const OVERVIEW = `
Saring screens the Indonesian equity market. Models return candidate stocks (picks). Market-data endpoints read the same
dataset synchronously. Request and response bodies are JSON in UTF-8; bars can also be CSV.

## Keys

Every endpoint except health and this reference needs an API key, sent as \`Authorization: Bearer <API_KEY>\` or
\`X-API-Key: <API_KEY>\` (if both are sent, the first is used). A key identifies your application, not a person: keep it
on your servers. A page of another origin can call the API from a browser only if the operator has listed its origin, and whoever
opens the page can read its key. Keys have scopes; each endpoint names the scope it needs. Changes to a key take effect within a second.

## The dataset

Responses are as of the dataset's last trading day. They are not live ticks, and the latest day can be partial. Every
model result names the trading day it analysed: **show that day to your users**. Days can be missing, for example when the
source of the data fails. Models then run on the old days. Every market-data response says so in \`X-Data-As-Of\` and
\`X-Data-Behind-Trading-Days\`, and \`freshness\` says since when and why: in health, in the market overview, and beside the
result of every job.

The operator can run the service on a market that is generated for testing. \`GET /api/health\` then returns
\`synthetic: true\`, and dataset versions begin with \`synthetic-\`. **Tell your users**: nothing in such a dataset was ever
traded. The operator can also use real bars with generated broker rows. \`GET /api/health\` then returns
\`synthetic_brokers: true\`, and dataset versions end with \`-synthetic-brokers\`. Who bought and sold is then made up.

Prices and values are in IDR, share counts in shares (not lots), and percentages in percent (1.5 is 1.5 %) unless a field
says fraction. Ticker codes are accepted in any case and returned in upper case. Dates are trading days as YYYY-MM-DD.
Datetimes are ISO 8601 with the offset of Asia/Jakarta, +07:00. Display text is in Bahasa Indonesia, or in English with
\`Accept-Language: en\`. Branch on codes and scores, never on text.

Every market-data response, and every job with a result, names its dataset version in \`X-Dataset-Version\`. Every
market-data GET returns an \`ETag\`. Send it back as \`If-None-Match\`: while nothing has changed, the response is 304 without
a body. Responses over 1 KiB are compressed with gzip for clients that send \`Accept-Encoding: gzip\`.

## Runs

1. \`POST /api/v1/models/{model_id}/runs\` with \`X-End-User\`, optionally with \`wait\` (0 to 60 seconds).
2. 200: the run ended within \`wait\`. Read \`status\`, then \`result\`.
3. 202: poll \`poll_url\`, for the first time after the seconds in \`Retry-After\`, then every 2 to 5 seconds, until \`status\` is
   succeeded, failed or interrupted. Faster polling gives no benefit and uses up the rate limit. Every 202 response names what to
   poll in \`Location\` too. Alternatively read \`/api/v1/jobs/{job_id}/events\`, which streams each state change.

Send an \`Idempotency-Key\` with each submission, so that repeating it after a lost response cannot start a second run.

## Consent

Before an end user sees results, call \`GET /api/v1/consent\`. While \`accepted\` is false, show the text of
\`GET /api/v1/consent/documents/fair_disclaimer\` and block access until \`POST /api/v1/consent\` has returned 201 for the
version that you showed. If either call fails, treat the document as not accepted.

## Rate limits

Each key can send 60 requests per minute, unless it has its own limit. Every authenticated request counts, whatever its
response. Authenticated responses, including errors, carry \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and
\`X-RateLimit-Reset\`, and \`RateLimit\` and \`RateLimit-Policy\` of the IETF draft. Over the limit, the response is 429
\`rate_limited\` with \`Retry-After\` in whole seconds.

Requests without a valid key are limited by address: after 300 requests in a minute, further requests fail with 429
\`rate_limited\` and their connection is closed. Health, this reference and the operator's endpoints have a separate limit of
6,000 requests per minute. The operator can set other limits. A connection can carry many requests at the same time, of
which 16 are processed concurrently. A client that reads nothing of its responses for a minute is disconnected.

## Errors

Every error has the same envelope, \`{"error": {"code", "message", "request_id", "docs_url"}}\`. Branch on \`code\`. \`docs_url\` is
the path of a page with the cause and the cure of the code; [all codes](${ERROR_PAGES}) have one. A 422 also has
\`detail\`, a list of the mistakes and their locations. Unknown query parameters and unknown body fields are mistakes too.
Unknown paths return 404 \`not_found\`. Other methods return 405 \`method_not_allowed\` with \`Allow\`. 503 errors are
transient: try again with increasing delays. Every response carries \`X-Request-ID\`. An id that you send yourself is ignored.

## Versions

Within /api/v1, endpoints, response fields and optional parameters can be added. Ignore fields that you do not know. Whatever is
going to be removed is deprecated at least twelve months before: this document says what to use instead, and every response has
\`Deprecation\`, and \`Sunset\` with the earliest day of its removal.
`.trim();

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
