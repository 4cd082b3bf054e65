import fc from 'fast-check';
import { expect, test } from 'vitest';
import { brokerCode, brokerNumber } from './measures.ts';

const anyCode = fc.stringMatching(/^[A-Z0-9]{2,4}$/);

test('every code that an import accepts comes back from its number, also out of 32 bits of float', () => {
  fc.assert(fc.property(anyCode, (code) => brokerCode(Math.fround(brokerNumber(code))) === code));
  expect(['00', '000', '0AK', 'ZZZZ'].map((code) => brokerCode(Math.fround(brokerNumber(code))))).toEqual([
    '00',
    '000',
    '0AK',
    'ZZZZ',
  ]);
});

test('no two codes have the same number, and none has 0, which says that there is none', () => {
  fc.assert(
    fc.property(anyCode, anyCode, (a, b) => {
      expect(brokerNumber(a) === brokerNumber(b)).toBe(a === b);
      expect(brokerNumber(a)).toBeGreaterThan(0);
    }),
  );
});
