import Type from 'typebox';
import { ERROR_TABLE, type ErrorCode } from '#foundation/errors/error-codes.ts';
import { FIELD_ERROR_TYPES } from '#foundation/errors/service-error.ts';
import { errorPage } from '../responses/errors.ts';
import { oneOf } from './common.ts';
import { named } from '#foundation/schema.ts';

/** Error codes that occur only in gRPC calls. */
const NOT_OVER_HTTP: ErrorCode[] = ['caller_identity_required', 'caller_not_allowed', 'import_rejected'];
const HTTP_CODES = (Object.keys(ERROR_TABLE) as ErrorCode[]).filter(isOverHttp);

/** Whether REST has errors of this code. */
export function isOverHttp(code: ErrorCode): boolean {
  return !NOT_OVER_HTTP.includes(code);
}

const error = Type.Object({
  code: oneOf(HTTP_CODES, { description: 'Stable code. Branch on this field.' }),
  message: Type.String({ description: 'Message for people. Can change.' }),
  request_id: Type.String({
    description: 'Id of the request, as in X-Request-ID.',
    examples: ['req_1f8a52c0b7d94e3f6a1c2b3d'],
  }),
  docs_url: Type.String({
    description:
      'Path of the page that describes the code: its cause and its cure. Needs no key. HTML, or Markdown with ' +
      '`Accept: text/markdown` or `.md` at the end.',
    examples: [errorPage('not_found')],
  }),
});

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
      description: 'The limit that was exceeded, such as {"le": 100}, or what to send instead.',
    }),
  }),
);

export const ErrorEnvelope = named(
  'Error',
  Type.Object({
    error,
    detail: Type.Optional(
      Type.Array(FieldError, {
        description:
          'Only of 404 `not_found`, and only for the old ticker of a renamed stock: `ctx` then has its `new_ticker`, and the day ' +
          '`since` which it has it.',
      }),
    ),
  }),
);

export const ValidationErrorEnvelope = named(
  'ValidationError',
  Type.Object({ error, detail: Type.Array(FieldError) }),
);
