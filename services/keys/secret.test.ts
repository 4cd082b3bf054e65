import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashSecret, hintOf, isWellFormed, newSecret } from './secret.ts';

test('every new secret is well formed, unique and has at least 190 random bits', () => {
  const secrets = Array.from({ length: 500 }, () => newSecret());
  expect(secrets.every((secret) => isWellFormed(secret))).toBe(true);
  expect(new Set(secrets).size).toBe(500);
  expect(secrets[0]).toMatch(/^sar_[0-9A-Za-z]{39}$/);
  expect(33 * Math.log2(62)).toBeGreaterThan(190);
});

test('the secret of a key, a test key or a session is none of another kind', () => {
  const kinds = ['key', 'test key', 'session'] as const;
  for (const of of kinds) expect(kinds.filter((other) => isWellFormed(newSecret(of), other))).toEqual([of]);
  expect(newSecret('test key')).toMatch(/^sar_test_[0-9A-Za-z]{39}$/);
});

test('a secret with any one character changed is malformed', () => {
  const secret = newSecret();
  fc.assert(
    fc.property(fc.nat(secret.length - 1), fc.constantFrom(...'0AZaz9_-'), (at, character) => {
      fc.pre(secret[at] !== character);
      expect(isWellFormed(secret.slice(0, at) + character + secret.slice(at + 1))).toBe(false);
    }),
  );
});

test('any other text is malformed', () => {
  fc.assert(fc.property(fc.string(), (text) => !isWellFormed(text)));
});

test('the stored hash depends on the pepper and does not contain the secret', () => {
  const secret = newSecret();
  expect(hashSecret(secret, 'one pepper')).not.toBe(hashSecret(secret, 'another pepper'));
  expect(hashSecret(secret, 'one pepper')).toMatch(/^[0-9a-f]{64}$/);
});

test('the hint is the first ten characters of the secret', () => {
  const secret = newSecret();
  expect(secret.startsWith(hintOf(secret))).toBe(true);
  expect(hintOf(newSecret('test key'))).toMatch(/^sar_test_[0-9A-Za-z]{6}$/);
  expect(hintOf(secret)).toHaveLength(10);
});
