import { status, type Metadata, type ServiceError as GrpcError } from '@grpc/grpc-js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FIELD_ERROR_TYPES, ServiceError, type FieldError } from '#foundation/errors/service-error.ts';
import { fromGrpcError, toGrpcError } from './error-metadata.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 60 });
const item: fc.Arbitrary<FieldError> = fc.record({
  loc: fc.array(fc.oneof(anyText, fc.nat()), { maxLength: 4 }),
  msg: anyText,
  type: fc.constantFrom(...FIELD_ERROR_TYPES),
  input: anyText,
});

/** The size of this error as other HTTP/2 peers count it. */
function metadataBytes(error: ServiceError): number {
  const { details, metadata } = toGrpcError(error) as { details: string; metadata: Metadata };
  const headers = Object.entries(metadata.toHttp2Headers()).flat().flat();
  return headers.reduce<number>((sum, part) => sum + String(part).length, encodeURI(details).length);
}

function arrived(error: ServiceError): ServiceError {
  return fromGrpcError(toGrpcError(error) as GrpcError, 'data_unavailable');
}

test('any message and detail can be sent, and the error code always arrives', () => {
  fc.assert(
    fc.property(anyText, fc.array(item), (message, detail) => {
      const error = arrived(new ServiceError('invalid_request', message, { detail }));
      expect([error.code, error.message]).toEqual(['invalid_request', message.toWellFormed()]);
      expect(detail.slice(0, error.detail.length)).toEqual(error.detail);
    }),
  );
});

test('the in-doubt flag arrives with an error, and a sent but unanswered call is in doubt', () => {
  for (const isInDoubt of [true, false])
    expect(arrived(new ServiceError('model_unavailable', 'No.', { isInDoubt })).isInDoubt).toBe(isInDoubt);
  const unanswered = (code: status, details: string) =>
    fromGrpcError({ code, details } as GrpcError, 'model_unavailable').isInDoubt;
  expect(unanswered(status.UNAVAILABLE, 'Connection dropped')).toBe(true);
  expect(unanswered(status.DEADLINE_EXCEEDED, 'Deadline exceeded')).toBe(true);
});

test('the seconds to wait arrive with an error that has them', () => {
  for (const retryAfterSeconds of [undefined, 1, 60])
    expect(arrived(new ServiceError('rate_limited', 'No.', { retryAfterSeconds }))).toMatchObject({
      retryAfterSeconds,
    });
});

test('an error stays below 16 KiB in any encoding and keeps as many items as fit', () => {
  for (const character of ['a', '"', 'é', '無', '😀']) {
    const msg = character.repeat(300);
    const detail = Array.from({ length: 100 }, (_, i): FieldError => {
      return { loc: ['body', i], msg, type: 'value_error' };
    });
    const error = new ServiceError('invalid_request', character.repeat(20_000), { detail });
    expect(metadataBytes(error)).toBeLessThan(16 * 1024);
    expect(arrived(error).message.length).toBeGreaterThan(300);
    expect(arrived(error).detail.length).toBeGreaterThan(3);
    expect(arrived(error).detail).toEqual(detail.slice(0, arrived(error).detail.length));
  }
});

const small: FieldError = { loc: ['query', 'days'], msg: 'must be given', type: 'missing' };

test('an item with a large value arrives without the value', () => {
  const large = { ...small, input: ['x'.repeat(20_000)] };
  expect(arrived(new ServiceError('invalid_request', '', { detail: [large] })).detail).toEqual([small]);
});

test('an item that is too large does not displace the others', () => {
  const large = { ...small, msg: 'x'.repeat(20_000) };
  expect(arrived(new ServiceError('invalid_request', '', { detail: [large, small] })).detail).toEqual([
    small,
  ]);
});
