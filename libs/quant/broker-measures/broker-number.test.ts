import fc from 'fast-check';
import { expect, test } from 'vitest';
import { brokerCode, brokerNumber } from './measures.ts';

const anyCode = fc.stringMatching(/^[A-Z0-9]{2,4}$/);

test('every broker code that an import accepts survives the round trip through a 32-bit float', () => {
  fc.assert(fc.property(anyCode, (code) => brokerCode(Math.fround(brokerNumber(code))) === code));
  expect(['00', '000', '0AK', 'ZZZZ'].map((code) => brokerCode(Math.fround(brokerNumber(code))))).toEqual([
    '00',
    '000',
    '0AK',
    'ZZZZ',
  ]);
});

test('different codes have different numbers, and none is 0, the number for no broker', () => {
  fc.assert(
    fc.property(anyCode, anyCode, (a, b) => {
      expect(brokerNumber(a) === brokerNumber(b)).toBe(a === b);
      expect(brokerNumber(a)).toBeGreaterThan(0);
    }),
  );
});
