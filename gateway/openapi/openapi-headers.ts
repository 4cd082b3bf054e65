import { IDEMPOTENCY_KEY_PATTERN } from '#shared/idempotency.ts';
import { LANGUAGES } from '#shared/text/languages.ts';
import { END_USER_PATTERN } from '../auth/end-user.ts';

/** Response headers, by name. */
export const HEADERS = {
  'X-Request-ID': {
    description:
      'Id of this request, `req_` followed by hex. It is in our logs: quote it when you ask about a request.',
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': { description: 'Requests per minute of this key.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'Requests left in this window.', schema: { type: 'integer' } },
  'X-RateLimit-Reset': {
    description: 'When the window ends, as Unix time in seconds.',
    schema: { type: 'integer' },
  },
  'RateLimit-Policy': {
    description: 'The limit and the length of its window in seconds, as the IETF draft writes it.',
    schema: { type: 'string', examples: ['60;w=60'] },
  },
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
  'Idempotent-Replayed': {
    description:
      'Only on the answer to a request whose Idempotency-Key an earlier one had: that one did what is answered here.',
    schema: { type: 'string', const: 'true' },
  },
  Vary: {
    description: 'Which request headers this answer depends on.',
    schema: { type: 'string', examples: ['Accept-Encoding, Accept-Language'] },
  },
  'Content-Language': {
    description:
      'Language of the sentences for display; absent from an answer that may have some and has none, as a job without a result.',
    schema: { type: 'string', enum: [...LANGUAGES] },
  },
  ETag: {
    description: 'Changes whenever the answer does. Send it as If-None-Match to get 304 while it has not.',
    schema: { type: 'string', examples: ['W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"'] },
  },
  'Cache-Control': {
    description: 'The answer may be kept by its client alone, and must be revalidated before each use.',
    schema: { type: 'string', const: 'private, no-cache' },
  },
  'Retry-After': { description: 'Whole seconds to wait.', schema: { type: 'integer' } },
};

export const END_USER_HEADER = {
  name: 'X-End-User',
  in: 'header',
  required: true,
  description:
    'Opaque, stable id of your application’s user; 1 to 64 characters out of A-Z, a-z, 0-9, dot, underscore and ' +
    'hyphen (no e-mail addresses). Ids belong to your key. A fresh id per request is accepted but makes the usage ' +
    'history meaningless.',
  schema: { type: 'string', pattern: END_USER_PATTERN, examples: ['user-42'] },
};

export const IDEMPOTENCY_KEY_HEADER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A new random value for each request that you mean, sent again with each repetition of it: for 24 hours the same key ' +
    'with the same request is answered from what the first one did, whatever became of its answer, and with another ' +
    'request 409 `idempotency_conflict`. Keys belong to your API key. A request that was refused uses up none; after a ' +
    '503 repeat it with the same key. 1 to 255 printable ASCII characters.',
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
  description: 'ETag of the answer you have: while it is still the answer, 304 comes without a body.',
  schema: { type: 'string', examples: ['W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"'] },
};

export const LAST_EVENT_ID_HEADER = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The `id` of the last event you got, when you reconnect: it is not sent again.',
  schema: { type: 'string', examples: ['running'] },
};

export const ACCEPT_LANGUAGE_HEADER = {
  name: 'Accept-Language',
  in: 'header',
  required: false,
  description: 'Language of the sentences for display: `id`, which is the default, or `en`.',
  schema: { type: 'string', examples: ['en'] },
};

/** Headers of every answer to a recognised key. */
export const RATE_LIMIT_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
];
