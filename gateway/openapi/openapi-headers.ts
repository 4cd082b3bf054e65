import { IDEMPOTENCY_KEY_PATTERN } from '#platform/wire/idempotency.ts';
import { LANGUAGES } from '#foundation/text/languages.ts';
import { END_USER_PATTERN } from '../auth/end-user.ts';

/** Response headers, by name. */
export const HEADERS = {
  'X-Request-ID': {
    description:
      'Id of this request, `req_` followed by a hex string. Quote it when you contact us about a request: ' +
      'it is in our logs. Refusals of many requests a minute may have one id in common.',
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': {
    description: 'Rate limit of this key, requests per minute.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Remaining': {
    description: 'Number of requests left in this window.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Reset': {
    description: 'Time at which the window ends, in Unix seconds.',
    schema: { type: 'integer' },
  },
  'RateLimit-Policy': {
    description: 'Limit and length of its window in seconds, in the format of the IETF draft.',
    schema: { type: 'string', examples: ['60;w=60'] },
  },
  RateLimit: {
    description:
      'Limit, remaining requests and seconds until the window ends, in the format of the IETF draft.',
    schema: { type: 'string', examples: ['limit=60, remaining=59, reset=60'] },
  },
  'X-Cost': {
    description:
      'What this request was charged for its work: milliseconds of processor time of one thread, as estimated before the work began. ' +
      'Half of `X-Cost-Limit` at most. 0 if the request was refused.',
    schema: { type: 'integer', minimum: 0, examples: [5] },
  },
  'X-Cost-Limit': {
    description: 'Budget of this key: milliseconds of processor time in a minute.',
    schema: { type: 'integer', examples: [60_000] },
  },
  'X-Cost-Remaining': {
    description: 'Milliseconds that are left of the budget.',
    schema: { type: 'integer', minimum: 0, examples: [59_995] },
  },
  'X-Cost-Reset': {
    description: 'Time at which the budget is whole again, in Unix seconds.',
    schema: { type: 'integer', examples: [1_719_586_800] },
  },
  'Content-Disposition': {
    description: 'File name under which the file can be stored.',
    schema: { type: 'string', examples: ['attachment; filename="job_5f0c6f1e9a3b4d2c8e7f6a5b.onnx"'] },
  },
  'X-Dataset-Version': {
    description:
      'Dataset version that the response was computed from, as in `dataset_version`. For a job, the ' +
      'version that its result is based on; absent without a result.',
    schema: { type: 'string', examples: ['synthetic-20240628-1'] },
  },
  'X-Next-Cursor': {
    description:
      'Cursor of the next page, to be sent as `cursor`. Present only with `format=csv`, and not on the last page.',
    schema: { type: 'string' },
  },
  'X-Data-As-Of': {
    description:
      'Newest trading day of the served market, as in `freshness.data_as_of` of GET /api/health. Absent in the moment in ' +
      'which another dataset version replaces the one that the response was computed from.',
    schema: { type: 'string', format: 'date', examples: ['2024-06-28'] },
  },
  'X-Data-Behind-Trading-Days': {
    description:
      'Number of trading days that are missing at the end of the served market at the moment of the response, also if the ' +
      'response was cached; 0 if it is up to date. Absent together with `X-Data-As-Of`.',
    schema: { type: 'integer', minimum: 0, examples: [0] },
  },
  'Idempotent-Replayed': {
    description:
      'Present only if an earlier request had the same Idempotency-Key. The response then describes what ' +
      'that request did.',
    schema: { type: 'string', const: 'true' },
  },
  Vary: {
    description: 'Request headers that this response depends on.',
    schema: { type: 'string', examples: ['Accept-Encoding, Accept-Language'] },
  },
  'Content-Language': {
    description:
      'Language of the sentences for display. Absent from a response without sentences, such as a job ' +
      'without a result.',
    schema: { type: 'string', enum: [...LANGUAGES] },
  },
  ETag: {
    description:
      'Changes whenever the response does. Send it as If-None-Match to get 304 while the response is ' +
      'unchanged.',
    schema: { type: 'string', examples: ['W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"'] },
  },
  'Cache-Control': {
    description: 'The response may be cached only by the client, and must be revalidated before each use.',
    schema: { type: 'string', const: 'private, no-cache' },
  },
  Location: {
    description: 'Path under which the accepted work is polled.',
    schema: { type: 'string', examples: ['/api/v1/jobs/job_5f0c6f1e9a3b4d2c8e7f6a5b'] },
  },
  'Retry-After': {
    description:
      'Time to wait before the next request, or before the first poll of accepted work, in whole seconds.',
    schema: { type: 'integer', examples: [1] },
  },
};

/** Of endpoints with something deprecated. */
export const DEPRECATION_HEADERS = {
  Deprecation: {
    description:
      'Time since which this endpoint, or a parameter that the request has, is deprecated: `@` and Unix seconds (RFC 9745).',
    schema: { type: 'string', examples: ['@1767200400'] },
  },
  Sunset: {
    description: 'Earliest time at which what is deprecated is gone (RFC 8594). Absent while that is open.',
    schema: { type: 'string', examples: ['Thu, 31 Dec 2026 17:00:00 GMT'] },
  },
  Link: {
    description: 'A page about deprecation, with `rel="deprecation"`.',
    schema: { type: 'string', examples: ['</docs/api-decisions#versions>; rel="deprecation"'] },
  },
};

export const END_USER_HEADER = {
  name: 'X-End-User',
  in: 'header',
  required: true,
  description:
    'Opaque, stable id of your application’s user. 1 to 64 characters from A-Z, a-z, 0-9, dot, underscore ' +
    'and hyphen (no e-mail addresses). Ids belong to your key. A new id for each request is accepted but ' +
    'makes the usage history meaningless.',
  schema: { type: 'string', pattern: END_USER_PATTERN, examples: ['user-42'] },
};

export const IDEMPOTENCY_KEY_HEADER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A new random value for each intended request. Send the same value when you repeat the request. For ' +
    '24 hours, a repeated request with the same key returns what the first request did, even if its ' +
    'response was lost. A different request with the same key fails with 409 `idempotency_conflict`. ' +
    'Idempotency keys belong to your API key. A refused request does not use up its key; after a 503, ' +
    'repeat the request with the same key. 1 to 255 printable ASCII characters.',
  schema: {
    type: 'string',
    pattern: IDEMPOTENCY_KEY_PATTERN,
    examples: ['3f1c9a52-6d0e-4b7f-9a44-0c2b7d5e8f10'],
  },
};

export const IF_NONE_MATCH_HEADER = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'ETag of the response you have. While the response is unchanged, the status is 304 without a body.',
  schema: { type: 'string', examples: ['W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"'] },
};

export const LAST_EVENT_ID_HEADER = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description:
    'The `id` of the last event that you received before reconnecting. This event is not sent again.',
  schema: { type: 'string', examples: ['running'] },
};

export const ACCEPT_LANGUAGE_HEADER = {
  name: 'Accept-Language',
  in: 'header',
  required: false,
  description: 'Language of the sentences for display: `id` (the default) or `en`.',
  schema: { type: 'string', examples: ['en'] },
};

/** Every header of a request that some endpoint declares. */
export const REQUEST_HEADERS = [
  END_USER_HEADER,
  IDEMPOTENCY_KEY_HEADER,
  IF_NONE_MATCH_HEADER,
  LAST_EVENT_ID_HEADER,
  ACCEPT_LANGUAGE_HEADER,
];

/** Headers of the responses of endpoints whose work is charged, unless the request was refused before its cost was known. */
export const COST_HEADERS = ['X-Cost', 'X-Cost-Limit', 'X-Cost-Remaining', 'X-Cost-Reset'];

/** Headers of every answer to a recognised key. */
export const RATE_LIMIT_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
];
