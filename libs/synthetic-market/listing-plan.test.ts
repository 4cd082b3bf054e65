import { describe, expect, test } from 'vitest';
import { companyName, numeral, TICKER_CODES } from './listing-plan.ts';

describe('invented names', () => {
  test('codes are unique and have four capital letters that begin with Q', () => {
    for (const code of TICKER_CODES) expect(code).toMatch(/^Q[AEIOU][A-Z]{2}$/);
    expect(new Set(TICKER_CODES).size).toBe(TICKER_CODES.length);
  });

  test.each([
    [1, 'Satu'],
    [10, 'Sepuluh'],
    [11, 'Sebelas'],
    [12, 'Dua Belas'],
    [20, 'Dua Puluh'],
    [47, 'Empat Puluh Tujuh'],
    [100, 'Seratus'],
    [111, 'Seratus Sebelas'],
    [385, 'Tiga Ratus Delapan Puluh Lima'],
  ])('%d is %s', (value, words) => expect(numeral(value)).toBe(words));

  test('a name says that the company is invented', () => {
    expect(companyName(6, 1)).toBe('Contoh Industri Satu Tbk (sintetis)');
  });
});
