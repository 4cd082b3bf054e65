import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fingerprintOf, idempotencyKeyMistake } from './idempotency.ts';

/** The same value with the members of every object in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, reversed(member)] as const);
  return Object.fromEntries(members.toReversed());
}

const request = fc.dictionary(fc.string(), fc.jsonValue());

test('the order of members does not change the fingerprint, at any depth', () => {
  fc.assert(
    fc.property(request, (requested) => {
      expect(fingerprintOf(reversed(requested) as typeof requested)).toBe(fingerprintOf(requested));
    }),
  );
});

test('a change to any member changes the fingerprint', () => {
  fc.assert(
    fc.property(request, fc.string(), fc.jsonValue(), (requested, name, value) => {
      const changed = { ...requested, [name]: [value] };
      fc.pre(JSON.stringify(requested[name]) !== JSON.stringify([value]));
      expect(fingerprintOf(changed)).not.toBe(fingerprintOf(requested));
    }),
  );
});

test('the order of a list changes the fingerprint; an undefined member does not', () => {
  expect(fingerprintOf({ tickers: ['A', 'B'] })).not.toBe(fingerprintOf({ tickers: ['B', 'A'] }));
  expect(fingerprintOf({ a: 1, b: undefined })).toBe(fingerprintOf({ a: 1 }));
  expect(fingerprintOf({ a: '1' })).not.toBe(fingerprintOf({ a: 1 }));
});

test('a fingerprint is SHA-256 over canonical JSON and stays the same across releases', () => {
  expect(fingerprintOf({ b: [1, { d: null, c: 'x' }], a: 1.5 })).toBe(
    'ea7e6af005022ee781bc3a37ac1d28e301d9d01712da2f38a9da90c2e080b0bc',
  );
});

test.each([
  ['one character', 'a', true],
  ['255 characters', '~'.repeat(255), true],
  ['a space', 'order 42', true],
  ['256 characters', 'a'.repeat(256), false],
  ['nothing', '', false],
  ['a control character', 'a\tb', false],
  ['a line break at its end', 'a\n', false],
  ['a letter beyond ASCII', 'café', false],
])('a key of %s (%s) is allowed: %s', (_name, key, isAllowed) => {
  expect(idempotencyKeyMistake(key, ['x']) === undefined).toBe(isAllowed);
});
