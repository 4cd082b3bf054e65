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
  model_not_found: 'There is no such model id.',
  job_not_found: 'The id is wrong, too old, or the job of another key.',
  not_found:
    'There is no data for that ticker or date, no model or explanation of that job, no such document or version of it, no end user ' +
    'with such an id, or no such path.',
  usage_event_not_found: 'The key has no such event.',
  invalid_end_user: 'X-End-User has characters that are not allowed, or more than 64.',
  missing_end_user: 'X-End-User was not sent.',
  invalid_request:
    'A parameter or field is unknown, of the wrong type, or out of bounds; `detail` lists each.',
  invalid_cursor: 'The cursor was not issued by this API for the same filters.',
  too_many_tickers: 'More tickers than one call may name.',
  consent_not_accepted: '`accepted` must be true.',
  stale_document_version: 'A newer version of the document is required.',
  rate_limited:
    'The budget of this minute is used up, that of the key or that of an address which asks without one; or the key ' +
    'holds as many event streams as it may. Retry-After says how many seconds to wait.',
  internal_error: 'A fault on our side; quote the request id.',
  data_unavailable:
    'The dataset, the service that keeps keys, or the scheduler does not answer at the moment. Try again.',
  model_unavailable: 'The models do not answer at the moment. Try again.',
  usage_unavailable: 'The usage ledger cannot be read at the moment. Try again.',
  consent_unavailable: 'Consent cannot be checked at the moment; the gate stays closed.',
  consent_write_failed: 'Consent was not recorded; the gate stays closed.',
  idempotency_conflict: 'The Idempotency-Key was used within 24 hours for another request.',
  method_not_allowed: 'The path exists, but not with this method; Allow lists those there are.',
  payload_too_large: 'The request body is too large.',
  operator_token_required: 'The endpoint needs the operator’s token, and another one or none was sent.',
  caller_identity_required: 'The call needs the identity of a service that may make it.',
  caller_not_allowed: 'The calling service may not make this call.',
  import_rejected: 'The dataset was refused.',
};

/** Error codes that occur only in gRPC calls. */
const NOT_OVER_HTTP: ErrorCode[] = ['caller_identity_required', 'caller_not_allowed', 'import_rejected'];
const HTTP_CODES = (Object.keys(ERROR_TABLE) as ErrorCode[]).filter((code) => !NOT_OVER_HTTP.includes(code));

const error = Type.Object({
  code: oneOf(HTTP_CODES, { description: 'Stable; branch on this.' }),
  message: Type.String({ description: 'For humans; may change.' }),
  request_id: Type.String({ description: 'As in X-Request-ID.', examples: ['req_1f8a52c0b7d94e3f6a1c2b3d'] }),
});

export const ErrorEnvelope = named('Error', Type.Object({ error }));

const FieldError = named(
  'FieldError',
  Type.Object({
    loc: Type.Array(Type.Unsafe<string | number>({ type: ['string', 'integer'] }), {
      description: 'Where: `query`, `body`, `header` or `path`, then the name and the position within.',
      examples: [['query', 'limit']],
    }),
    msg: Type.String({ description: 'What is allowed there.' }),
    type: oneOf(FIELD_ERROR_TYPES, {
      description: 'Stable kind of the mistake, `value_error` for what has no kind of its own.',
      examples: ['less_than_equal'],
    }),
    input: Type.Unsafe<unknown>({
      description:
        'What was sent, a query parameter as text; null when it was longer than 1,000 characters, or nothing.',
    }),
    ctx: Type.Unsafe<object>({
      type: 'object',
      description: 'The limit that was broken, as in {"le": 100}.',
    }),
  }),
);

export const ValidationErrorEnvelope = named(
  'ValidationError',
  Type.Object({ error, detail: Type.Array(FieldError) }),
);
