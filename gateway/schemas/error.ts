import Type from 'typebox';
import { ERROR_TABLE, FIELD_ERROR_TYPES, type ErrorCode } from '#shared/service-error.ts';
import { oneOf } from './common.ts';
import { named } from '#shared/schema.ts';

/** The meaning of each code for clients, as the reference shows it. */
export const ERROR_MEANINGS: Record<ErrorCode, string> = {
  missing_api_key: 'Neither Authorization nor X-API-Key was sent.',
  invalid_api_key: 'The key is unknown or revoked.',
  key_disabled: 'The key exists but is disabled.',
  insufficient_scope: 'The key lacks the scope of this endpoint.',
  model_not_found: 'No model has this id.',
  job_not_found: 'The id is wrong or too old, or the job belongs to another key.',
  not_found:
    'There is no data for the ticker or date, no model or explanation of the job, no such document or ' +
    'document version, no end user with this id, or no such path.',
  usage_event_not_found: 'The key has no event with this id.',
  invalid_end_user: 'X-End-User contains characters that are not allowed, or has more than 64 characters.',
  missing_end_user: 'X-End-User was not sent.',
  invalid_request:
    'A parameter or field is unknown, of the wrong type, or out of bounds; `detail` lists each.',
  invalid_cursor: 'The cursor was not issued by this API for the same filters.',
  too_many_tickers: 'The request names more tickers than allowed.',
  consent_not_accepted: '`accepted` must be true.',
  stale_document_version: 'A newer version of the document is required.',
  rate_limited:
    'The rate limit of this minute is used up, either of the key or, for requests without a key, of the ' +
    'address; or the key holds the maximum number of event streams. Retry-After is the number of seconds ' +
    'to wait.',
  internal_error: 'An error on our side. Quote the request id when you contact us.',
  data_unavailable: 'The dataset, the keys service or the scheduler is temporarily unavailable. Try again.',
  model_unavailable: 'The models service is temporarily unavailable. Try again.',
  usage_unavailable: 'The usage ledger is temporarily unavailable. Try again.',
  consent_unavailable: 'Consent is temporarily unavailable. Keep the consent gate closed.',
  consent_write_failed: 'Consent was not recorded. Keep the consent gate closed.',
  idempotency_conflict: 'The Idempotency-Key was used for a different request within the last 24 hours.',
  method_not_allowed: 'The path exists, but not with this method. Allow lists the methods of the path.',
  payload_too_large: 'The request body is too large.',
  operator_token_required: 'The endpoint needs the operator’s token, which was missing or wrong.',
  caller_identity_required: 'The call needs the identity of a service that is allowed to make it.',
  caller_not_allowed: 'The calling service is not allowed to make this call.',
  import_rejected: 'The dataset was refused.',
};

/** Error codes that occur only in gRPC calls. */
const NOT_OVER_HTTP: ErrorCode[] = ['caller_identity_required', 'caller_not_allowed', 'import_rejected'];
const HTTP_CODES = (Object.keys(ERROR_TABLE) as ErrorCode[]).filter((code) => !NOT_OVER_HTTP.includes(code));

const error = Type.Object({
  code: oneOf(HTTP_CODES, { description: 'Stable code. Branch on this field.' }),
  message: Type.String({ description: 'Message for people. Can change.' }),
  request_id: Type.String({
    description: 'Id of the request, as in X-Request-ID.',
    examples: ['req_1f8a52c0b7d94e3f6a1c2b3d'],
  }),
});

export const ErrorEnvelope = named('Error', Type.Object({ error }));

const FieldError = named(
  'FieldError',
  Type.Object({
    loc: Type.Array(Type.Unsafe<string | number>({ type: ['string', 'integer'] }), {
      description:
        'Location of the mistake: `query`, `body`, `header` or `path`, then the name and the position ' +
        'within it.',
      examples: [['query', 'limit']],
    }),
    msg: Type.String({ description: 'Description of what is allowed there.' }),
    type: oneOf(FIELD_ERROR_TYPES, {
      description: 'Stable kind of the mistake. `value_error` if it has no kind of its own.',
      examples: ['less_than_equal'],
    }),
    input: Type.Unsafe<unknown>({
      description:
        'Value that was sent; a query parameter as text. Null if it was longer than 1,000 characters, or ' +
        'if nothing was sent.',
    }),
    ctx: Type.Unsafe<object>({
      type: 'object',
      description: 'The limit that was exceeded, such as {"le": 100}.',
    }),
  }),
);

export const ValidationErrorEnvelope = named(
  'ValidationError',
  Type.Object({ error, detail: Type.Array(FieldError) }),
);
