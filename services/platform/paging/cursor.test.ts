import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CursorSigner, type CursorScope, type Position } from './cursor.ts';

const signer = new CursorSigner(['a secret of this test']);
const positions: fc.Arbitrary<Position> = fc.record({
  at: fc.maxSafeNat(),
  id: fc.string({ minLength: 1, unit: 'grapheme' }),
});
const scopes: fc.Arbitrary<CursorScope> = fc.record({
  apiKeyId: fc.string(),
  endUser: fc.option(fc.string(), { nil: undefined }),
  status: fc.constantFrom(undefined, 'started', 'failed'),
  since: fc.option(fc.nat(), { nil: undefined }),
});
const refusal = expect.objectContaining({ code: 'invalid_cursor' }) as unknown;
const refused = (cursor: string, scope: CursorScope, by = signer) => {
  expect(() => by.verify(cursor, scope)).toThrow(refusal);
};

test('a cursor restores the position it was created for', () => {
  fc.assert(
    fc.property(positions, scopes, (position, scope) => {
      expect(signer.verify(signer.sign(position, scope), scope)).toEqual(position);
    }),
  );
});

test('a cursor with any one character changed, added or removed is refused', () => {
  const character = fc.constantFrom(...'ABCXYZabcxyz0189-_+/=. é');
  fc.assert(
    fc.property(positions, scopes, fc.nat(), character, (position, scope, place, other) => {
      const cursor = signer.sign(position, scope);
      const at = place % cursor.length;
      const [before, after] = [cursor.slice(0, at), cursor.slice(at + 1)];
      if (cursor[at] !== other) refused(before + other + after, scope);
      refused(before + after, scope);
      refused(before + other + cursor.slice(at), scope);
      refused(cursor + other, scope);
    }),
  );
});

test('a cursor is refused for another key, or with any filter changed, added or dropped', () => {
  fc.assert(
    fc.property(positions, scopes, scopes, (position, scope, other) => {
      fc.pre(JSON.stringify(scope) !== JSON.stringify(other));
      refused(signer.sign(position, scope), other);
    }),
  );
});

test('arbitrary text and a cursor signed with another secret are refused', () => {
  fc.assert(fc.property(fc.string(), scopes, (text, scope) => refused(text, scope)));
  fc.assert(fc.property(fc.base64String({ minLength: 40 }), scopes, (text, scope) => refused(text, scope)));
  fc.assert(
    fc.property(positions, scopes, (position, scope) => {
      refused(new CursorSigner(['a different secret']).sign(position, scope), scope);
    }),
  );
});
