import { ScalarType, type DescField } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { EVERY_SERVICE } from '#support/grpc/every-service.ts';
import { exampleOf } from '#support/message-examples.ts';
import type { ServiceError } from '#foundation/errors/service-error.ts';
import { messageNamed, methodAt, rulesOf } from './descriptors.ts';
import { isLeftOut } from './message-schema.ts';
import { requestCheck } from './request-check.ts';

/** The requests that have fields. */
const requests = Object.values(EVERY_SERVICE)
  .flatMap(({ definition }) => Object.values(definition).map(({ path }) => methodAt(path)!.input))
  .filter(({ fields }) => fields.length > 0);

/** Values that the rules of a field just allow and just refuse. */
function* atTheBounds(field: DescField): Generator<[allowed: unknown, refused: unknown]> {
  const { minimum, maximum, min_length, max_length, words, format, pattern } = rulesOf(field);
  const { min_items, max_items } = rulesOf(field);
  const item = (value: unknown) => (field.fieldKind === 'list' ? [value] : value);
  const example = exampleOf(field.parent, { isFull: true })[field.name];
  const items = (count: number) => Array<unknown>(count).fill([example].flat()[0]);
  if (minimum !== undefined) yield [item(minimum), item(minimum - 1)];
  if (maximum !== undefined) yield [item(maximum), item(maximum + 1)];
  if (field.scalar === ScalarType.DOUBLE) yield [item(minimum ?? 0.5), item(NaN)];
  if (min_length) yield [item('x'.repeat(min_length)), item('')];
  if (max_length) yield [item('x'.repeat(max_length)), item('x'.repeat(max_length + 1))];
  if (words.length > 0) yield [item(words.at(-1)), item(words.at(-1)!.toUpperCase() + '_')];
  if (format === 'date') yield [item('2024-02-29'), item('2024-02-30')];
  if (format === 'trading-date') yield [item('today'), item('yesterday')];
  if (pattern) yield [example, item(['', '\u202e'].find((text) => !new RegExp(pattern, 'u').test(text)))];
  if (min_items && !isLeftOut(field)) yield [items(min_items), []];
  if (max_items) yield [items(max_items), items(max_items + 1)];
}

/** The fields of which the check complains. */
function refusedFields(check: (request: object) => void, request: object): unknown[] {
  try {
    check(request);
    return [];
  } catch (error) {
    const { code, detail } = error as ServiceError;
    expect(code).toBe('invalid_request');
    return detail.map(({ loc }) => loc[0]);
  }
}

test('every bound, word, form and pattern of a field of a request is checked, and the refusal names the field', () => {
  let count = 0;
  for (const message of requests) {
    const check = requestCheck(message)!;
    const example = exampleOf(message, { isFull: true });
    for (const field of message.fields)
      for (const bound of atTheBounds(field)) {
        const [allowed, refused] = bound.map((value) =>
          refusedFields(check, { ...example, [field.name]: value }),
        );
        const tried = `${field.toString()}: ${JSON.stringify(bound)}`;
        expect(allowed, tried).not.toContain(field.name);
        expect(refused, tried).toContain(field.name);
        count++;
      }
  }
  expect(count).toBeGreaterThan(300);
});

function refusalOf(name: string, request: object): ServiceError | undefined {
  try {
    requestCheck(messageNamed(`saring.market_data.v1.${name}`))!(request);
  } catch (error) {
    return error as ServiceError;
  }
  return undefined;
}

test('all errors of a request are reported, each with what is allowed', () => {
  const { detail } = refusalOf('GetBrokersRequest', {
    ticker: 'BBCA',
    date: 'today',
    market: 'RG',
    top_n: 51,
    sort_by: 'value',
  })!;
  expect(detail).toMatchObject([
    { loc: ['market'], msg: 'must be one of REG, NEGO', type: 'enum', input: 'RG' },
    { loc: ['top_n'], msg: 'must be a whole number from 1 to 50', type: 'less_than_equal', input: 51 },
  ]);
});

test('an empty ticker is refused with its position', () => {
  const { code, detail } = refusalOf('CompareRequest', { tickers: ['A', ''], days: 20 })!;
  expect([code, detail[0]!.loc]).toEqual(['invalid_request', ['tickers', 1]]);
});

test.each([
  ['GetQuotesRequest', 50],
  ['CompareRequest', 10],
  ['ListTurningPointsRequest', 50],
])('the limit of %s, %i, counts distinct tickers regardless of case', (name, max) => {
  const tickers = Array.from({ length: max }, (_, i) => `T${i}`);
  const others = { days: 20, lookback: 10 };
  expect(refusalOf(name, { ...others, tickers: [...tickers, 't0', ' T1 '] })).toBeUndefined();
  expect(refusalOf(name, { ...others, tickers: [...tickers, 'MORE'] })).toMatchObject({
    code: 'too_many_tickers',
    detail: [{ loc: ['tickers'], ctx: { max_length: max, actual_length: max + 1 } }],
  });
});

test('a message without fields has no check', () => {
  expect(requestCheck(messageNamed('saring.market_data.v1.GetCurrentDatasetRequest'))).toBeUndefined();
});

test('rules of nested messages apply, and their errors name the full location', () => {
  const check = requestCheck(messageNamed('saring.usage.v1.FindUnrecordedRequest'))!;
  const run = { event_id: 'ue_1', api_key_id: 'key_1', ts: new Date(0), status: 'started' };
  expect(() => check({ runs: Array<object>(1_000).fill(run) })).not.toThrow();
  const tooMany = expect.objectContaining({ detail: [expect.objectContaining({ loc: ['runs'] })] }) as Error;
  expect(() => check({ runs: Array<object>(1_001).fill(run) })).toThrow(tooMany);
  const wrong = [expect.objectContaining({ loc: ['runs', 1, 'status'], type: 'enum' })];
  expect(() => check({ runs: [run, { ...run, status: 'queued' }] })).toThrow(
    expect.objectContaining({ detail: wrong }),
  );
});

test('an optional field is checked only if present', () => {
  const check = requestCheck(messageNamed('saring.usage.v1.ListEventsRequest'))!;
  const request = { api_key_id: 'key_1', limit: 200 };
  expect(() => check({ ...request, status: undefined })).not.toThrow();
  expect(() => check({ ...request, status: 'queued' })).toThrow('status');
});

test('an invalid date is refused as a moment', () => {
  const check = requestCheck(messageNamed('saring.usage.v1.ListKeyUsageRequest'))!;
  expect(() => check({ since: undefined })).not.toThrow();
  expect(() => check({ since: new Date(NaN) })).toThrow('since: is not a valid time');
});

test('a pattern mismatch is explained in words', () => {
  const check = requestCheck(messageNamed('saring.consent.v1.CheckConsentRequest'))!;
  expect(() => check({ api_key_id: 'key_1', end_user: '@', document_id: 'a' })).toThrow(
    'end_user: must be 1 to 64 characters out of A-Z, a-z, 0-9, dot, underscore and hyphen, other than . and ..',
  );
});
