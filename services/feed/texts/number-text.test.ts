import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DECIMAL_MARKS, numberOf, THOUSANDS_MARKS, type NumberMarks } from './number-text.ts';

const INDONESIAN: NumberMarks = { decimal: ',', thousands: '.', suffixes: { rb: 1e3, jt: 1e6, M: 1e9 } };
const ENGLISH: NumberMarks = { decimal: '.', thousands: ',', suffixes: { K: 1e3, M: 1e6 } };

/** A number as people write it with these marks. */
function written(number: number, { decimal, thousands }: NumberMarks): string {
  const [whole, fraction] = Math.abs(number).toFixed(2).split('.') as [string, string];
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, thousands);
  return `${number < 0 ? '-' : ''}${grouped}${decimal}${fraction}`;
}

const marks = fc
  .tuple(fc.constantFrom(...DECIMAL_MARKS), fc.constantFrom(...THOUSANDS_MARKS))
  .filter(([decimal, thousands]) => decimal !== thousands)
  .map(([decimal, thousands]): NumberMarks => ({ decimal, thousands, suffixes: {} }));

describe('numbers in texts', () => {
  test('are read back as they were written, with any marks', () => {
    const cents = fc.integer({ min: -1e14, max: 1e14 });
    fc.assert(
      fc.property(cents, marks, (cent, how) => {
        const number = Number((cent / 100).toFixed(2));
        expect(numberOf(written(number, how), how)).toBe(number);
        expect(numberOf(String(Math.trunc(number)), how)).toBe(Math.trunc(number) + 0);
      }),
    );
  });

  test('are refused with the marks of another country, unless they mean the same there', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 1e12 }), (number) => {
        const english = written(number, ENGLISH);
        expect(numberOf(english, INDONESIAN)).toBeUndefined();
        expect(numberOf(english, { ...ENGLISH, thousands: '' })).toBeUndefined();
      }),
    );
  });

  test.each<[string, NumberMarks, number]>([
    ['1.234.567,5', INDONESIAN, 1_234_567.5],
    ['1,1 jt', INDONESIAN, 1_100_000],
    ['2,25M', INDONESIAN, 2_250_000_000],
    ['12.3 M', ENGLISH, 12_300_000],
    ['(1,200)', ENGLISH, -1_200],
    ['+5', ENGLISH, 5],
    ['1.96e+06', ENGLISH, 1_960_000],
    ['12 rb', { decimal: ',', thousands: '.', suffixes: { b: 1e9, rb: 1e3 } }, 12_000],
    ['1 234 567', { decimal: ',', thousands: ' ', suffixes: {} }, 1_234_567],
    ['1\u00A0234,5', { decimal: ',', thousands: ' ', suffixes: {} }, 1_234.5],
  ])('%s is understood', (text, how, number) => {
    expect(numberOf(text, how)).toBe(number);
  });

  test.each(['', '-', 'M', '1,23,456', '1,2345', '1..2', '12a', '1.2.3', '0x1F', 'NaN', '1e999', '5 %'])(
    "'%s' is no number",
    (text) => {
      expect(numberOf(text, ENGLISH)).toBeUndefined();
    },
  );
});
