import { expect, test } from 'vitest';
import { invalidRequest, outOfRange } from './invalid-request.ts';
import type { FieldError } from './service-error.ts';

test('the message names each field without its request part; the detail keeps the full location', () => {
  const mistakes: FieldError[] = [
    outOfRange(['query', 'limit'], 1, 200, 201),
    { loc: ['body', 'params', 'positions', 0], msg: 'must be an object', type: 'value_error' },
    { loc: ['name'], msg: 'must be given', type: 'missing' },
  ];
  const error = invalidRequest(mistakes);
  expect(error.code).toBe('invalid_request');
  expect(error.message).toBe(
    'limit: must be from 1 to 200; params.positions.0: must be an object; name: must be given',
  );
  expect(error.detail).toEqual(mistakes);
});

test('a number out of range is reported with both bounds', () => {
  expect(outOfRange(['query', 'limit'], 1, 200, 201)).toEqual({
    loc: ['query', 'limit'],
    msg: 'must be from 1 to 200',
    type: 'less_than_equal',
    input: 201,
    ctx: { ge: 1, le: 200 },
  });
});

test('the message names five errors and counts the rest; the detail lists twenty', () => {
  const mistakes = Array.from({ length: 30 }, (_, i): FieldError => {
    return { loc: ['body', `f${i}`], msg: 'is wrong', type: 'value_error' };
  });
  const { message, detail } = invalidRequest(mistakes);
  expect(message).toMatch(/^f0: is wrong; .*f4: is wrong; and 25 more$/);
  expect(detail).toEqual(mistakes.slice(0, 20));
});

test('a location inside a field is named in full', () => {
  const mistake = { loc: ['scopes', 1], msg: 'must be one of a, b', type: 'enum' } as const;
  expect(invalidRequest([{ ...mistake, loc: [...mistake.loc] }]).message).toBe(
    'scopes.1: must be one of a, b',
  );
});
