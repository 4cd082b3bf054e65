import Type from 'typebox';
import type { Request } from 'express';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { bounded, closed, oneOf } from '../schemas/common.ts';
import { defineRoute } from '../routing/define-route.ts';
import { inputValidator } from './validation.ts';

const route = defineRoute({
  method: 'post',
  path: '/things/{thing_id}',
  operationId: 'doThing',
  tag: 'System',
  summary: '',
  description: '',
  access: 'any key',
  params: closed({ thing_id: Type.String({ pattern: '^[!-~]{1,64}$' }) }),
  unknownIdCode: 'job_not_found',
  query: closed({
    limit: bounded(1, 100, 20, ''),
    ratio: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    flag: Type.Optional(Type.Boolean()),
    sort: Type.Optional(oneOf(['value', 'shares'])),
  }),
  body: closed({
    tickers: Type.Array(Type.String({ minLength: 1, maxLength: 8 }), { minItems: 1, maxItems: 3 }),
    days: Type.Optional(bounded(1, 250, 20, '')),
  }),
  responses: {},
  errors: [],
  handler: () => undefined,
});
const validate = inputValidator(route);

const input = (query: object, body: unknown = { tickers: ['A'] }, thing_id = 'a') =>
  validate({ params: { thing_id }, query, originalUrl: `/things/${thing_id}` } as unknown as Request, body);

function refusal(query: object, body?: unknown): ServiceError {
  try {
    input(query, body);
  } catch (error) {
    if (error instanceof ServiceError) return error;
  }
  throw new Error('it was not refused');
}

test('validation fills in defaults and converts query values to their types', () => {
  expect(input({ ratio: '0.5', flag: 'true', sort: 'value' })).toEqual({
    params: { thing_id: 'a' },
    query: { limit: 20, ratio: 0.5, flag: true, sort: 'value' },
    body: { tickers: ['A'], days: 20 },
  });
});

test('a number may have all the digits that a program prints', () => {
  for (const ratio of [0.1 + 0.2, 1 / 3, Number.MIN_VALUE, 2.5e-7, 1])
    expect(input({ ratio: String(ratio) })).toMatchObject({ query: { ratio } });
});

test.each(['1e309', '1e999', '9'.repeat(30), `0.${'3'.repeat(30)}`])(
  'the ratio %s is refused as too large or too long',
  (ratio) => {
    expect(refusal({ ratio }).detail[0]).toMatchObject({ loc: ['query', 'ratio'] });
  },
);

test.each([
  [{ limit: '0' }, 'limit: must be a whole number from 1 to 100', 'greater_than_equal', { ge: 1 }],
  [{ limit: '101' }, 'limit: must be a whole number from 1 to 100', 'less_than_equal', { le: 100 }],
  [{ limit: '1.5' }, 'limit: must be a whole number from 1 to 100', 'int_type', {}],
  [{ limit: '' }, 'limit: must be a whole number from 1 to 100', 'int_type', {}],
  [{ limit: ' 5' }, 'limit: must be a whole number from 1 to 100', 'int_type', {}],
  [{ ratio: 'NaN' }, 'ratio: must be a number from 0 to 1', 'float_type', {}],
  [{ flag: '1' }, 'flag: must be true or false', 'bool_type', {}],
  [{ sort: 'price' }, 'sort: must be one of value, shares', 'enum', { expected: ['value', 'shares'] }],
  [{ limit: ['5', '6'] }, 'limit: must be given only once', 'multiple_values', undefined],
  [
    { limits: '5' },
    'limits: is not known here; allowed: limit, ratio, flag, sort',
    'extra_forbidden',
    { allowed: ['limit', 'ratio', 'flag', 'sort'] },
  ],
])('the query %o is refused with "%s"', (query, message, type, ctx) => {
  const error = refusal(query);
  expect([error.code, error.message]).toEqual(['invalid_request', message]);
  expect(error.detail[0]).toMatchObject({ loc: ['query', Object.keys(query)[0]], type, ...(ctx && { ctx }) });
});

test.each([
  [{}, 'tickers: is required: a list of 1 to 3 items', ['body', 'tickers']],
  [{ tickers: [] }, 'tickers: must be a list of 1 to 3 items', ['body', 'tickers']],
  [{ tickers: 'A' }, 'tickers: must be a list of 1 to 3 items', ['body', 'tickers']],
  [{ tickers: ['A', 5] }, 'tickers.1: must be text of 1 to 8 characters', ['body', 'tickers', 1]],
  [{ tickers: ['A'], days: '5' }, 'days: must be a whole number from 1 to 250', ['body', 'days']],
  [{ tickers: ['A'], day: 5 }, 'day: is not known here; allowed: tickers, days', ['body', 'day']],
  [[], 'body: must be an object', ['body']],
])('the body %j is refused with "%s"', (body, message, loc) => {
  const error = refusal({}, body);
  expect(error.message).toBe(message);
  expect(error.detail[0]!.loc).toEqual(loc);
});

test('all mistakes are reported together, with one entry per location', () => {
  const error = refusal({ limit: '0', sort: 'x' }, { tickers: [''], days: 0 });
  expect(error.detail.map(({ loc }) => loc.join('.'))).toEqual([
    'query.limit',
    'query.sort',
    'body.tickers.0',
    'body.days',
  ]);
});

test('the message and the list of mistakes stay short even for a thousand mistakes', () => {
  const error = refusal(Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`unknown${i}`, ''])));
  expect(error.message.length).toBeLessThan(1_000);
  expect(error.message).toMatch(/and 995 more$/);
  expect(error.detail).toHaveLength(20);
});

test('a malformed path id gets the error code of an unknown one', () => {
  expect(() => input({}, undefined, 'a\0b')).toThrow(
    expect.objectContaining({ code: 'job_not_found' }) as Error,
  );
});

test('any query is either accepted or refused as invalid_request, and never changes the prototype', () => {
  const names = fc.oneof(
    fc.constantFrom('limit', 'ratio', 'flag', 'sort', '__proto__', 'constructor'),
    fc.string(),
  );
  const values = fc.oneof(
    fc.string(),
    fc.array(fc.string()),
    fc.integer().map(String),
    fc.double().map(String),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(names, values)), (pairs) => {
      const query = Object.assign(Object.create(null) as object, Object.fromEntries(pairs));
      try {
        const { limit } = input(query).query as { limit: number };
        expect(limit).toBeGreaterThanOrEqual(1);
        expect(limit).toBeLessThanOrEqual(100);
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid_request' });
      }
      expect(({} as Record<string, unknown>)['limit']).toBeUndefined();
    }),
  );
});
