import { describe, expect, test } from 'vitest';
import { FIELDS } from '#fields/catalogue/catalogue.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { rulesOf } from '#shared/market/requested-rules.ts';
import { indonesianOf } from './rule-mistakes-indonesian.ts';

/** As the API answers it. */
function refused(rules: unknown) {
  try {
    rulesOf(rules, FIELDS);
  } catch (error) {
    if (error instanceof ServiceError) return error.detail[0]!;
    throw error;
  }
  throw new Error('these rules are accepted');
}

describe('mistakes of rules', () => {
  test.each([
    ['close > 3 and rsi14 < 35', 'karakter 15: tidak ada kolom data “rsi14”; maksud Anda rsi_14?'],
    [
      'rsi_14 <',
      'karakter 9: seharusnya sebuah angka, sebuah kolom data atau teks dalam tanda kutip sesudah “<”, bukan akhir aturan',
    ],
    ['rsi_14 < 35 sort close', 'karakter 18: seharusnya by, bukan “close”'],
    ["sector = 'x", "karakter 10: tanda ' ini tidak ditutup"],
    ['sector < 3', 'karakter 10: “sector” adalah teks: gunakan = (equal) atau in'],
    ['rsi_14 between 9 and 3', 'karakter 16: batas bawah 9 melebihi batas atas 3'],
    ['limit 0', 'karakter 7: perlu bilangan bulat dari 1 sampai 1000'],
    [
      { field: 'rsi_14', below: 35, above: 2 },
      'berada di samping below, padahal satu kondisi berisi satu perbandingan',
    ],
    [{ all: [] }, 'perlu daftar berisi satu kondisi atau lebih'],
  ])('%j reads in Indonesian with its place', (rules, indonesian) => {
    expect(indonesianOf(refused(rules).ctx!)).toBe(indonesian);
  });

  test('that the console does not know have no words, so that the message of the API is shown', () => {
    expect(indonesianOf({ mistake: 'of_a_later_version', params: {} })).toBeUndefined();
    expect(indonesianOf({})).toBeUndefined();
  });
});
