import { expect, test } from 'vitest';
import { EVERY_SERVICE } from '#support/grpc/every-service.ts';
import { exampleOf } from '#support/message-examples.ts';
import type { FieldError, ServiceError } from '#foundation/errors/service-error.ts';
import { methodAt } from './descriptors.ts';
import { requestCheck } from './request-check.ts';
import { textMistakes } from './text-mistakes.ts';

const REFUSED = ['\0', '\x07', '\x1b', '\x7f', '\x85', '\x9b', '\ud83d', '\udc4d'];

test.each(REFUSED.map((character) => [JSON.stringify(character), character]))(
  '%s is refused in any text',
  (_, text) => {
    expect(textMistakes({ rules: { in: ['AK', `a${text}`] }, [`x${text}`]: 1 }, ['body'])).toMatchObject([
      { loc: ['body', 'rules', 'in', 1], type: 'string_pattern_mismatch' },
      { loc: ['body', 'x\ufffd'] },
    ]);
  },
);

test('lines, tabs, and letters and signs of any language are allowed', () => {
  const texts = ['close > 0\r\n\tand close < 9', 'Ünï 日本 مرحبا 👨‍👩‍👧', '\ufffd\u2028', ''];
  expect(
    textMistakes({ texts, none: null, number: 1, bytes: Buffer.from('\0'), at: new Date(0) }, []),
  ).toEqual([]);
});

/** The requests that have fields, by their names. */
const requests = new Map(
  Object.values(EVERY_SERVICE)
    .flatMap(({ definition }) => Object.values(definition).map(({ path }) => methodAt(path)!.input))
    .filter(({ fields }) => fields.length > 0)
    .map((input) => [input.typeName.slice('saring.'.length), input]),
);

/** The value with a NUL in one of its texts, for each of them. An empty object stands for any JSON. */
function* withNul(value: unknown, loc: FieldError['loc'] = []): Generator<[FieldError['loc'], unknown]> {
  if (typeof value === 'string') yield [loc, `${value}\0`];
  if (typeof value !== 'object' || value === null || value instanceof Date) return;
  const steps = Object.entries(Object.keys(value).length === 0 ? { x: 'any' } : value);
  for (const [step, member] of steps)
    for (const [place, changed] of withNul(member, [...loc, Array.isArray(value) ? Number(step) : step]))
      yield [place, Array.isArray(value) ? value.with(Number(step), changed) : { ...value, [step]: changed }];
}

test('every text of every request is checked, but for those that are only compared or cut', () => {
  const taken: string[] = [];
  for (const [name, message] of requests)
    for (const [loc, request] of withNul(exampleOf(message, { isFull: true }))) {
      try {
        requestCheck(message)!(request as object);
        taken.push(`${name}: ${loc.join('.')}`);
      } catch (error) {
        const { code, detail } = error as ServiceError;
        const places = detail.map((mistake) => mistake.loc);
        expect([code, places], name).toEqual(['invalid_request', expect.arrayContaining([loc])]);
      }
    }
  const cursors = [...requests].filter(([, { field }]) => field['cursor']).map(([name]) => `${name}: cursor`);
  const others = [
    'consent.v1.GetDocumentRequest: accept_language',
    'keys.v1.AuthenticateRequest: secret',
    'keys.v1.StartSessionRequest: browser',
    'keys.v1.StartSessionRequest: secret',
  ];
  expect(taken.toSorted()).toEqual([...cursors, ...others].toSorted());
  expect(requests.size).toBeGreaterThan(100);
});
