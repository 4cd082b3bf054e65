import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { csvFields } from '#foundation/text/csv.ts';
import { wholeCompanyName } from './company-name.ts';
import { needing, THE_REAL_MARKET } from '#support/needing.ts';

/** The path from the repository's root. */
const ARCHIVE = '../shared/data/idx-daily.tar.gz';

test.each([
  ['BBNI', 'Bank Negara Indonesia (Persero', 'Bank Negara Indonesia (Persero) Tbk.'],
  ['BBRM', 'Pelayaran Nasional Bina Buana', 'Pelayaran Nasional Bina Buana Raya Tbk.'],
  ['ADMF', 'Adira Dinamika Multi Finance T', 'Adira Dinamika Multi Finance Tbk.'],
  ['ADRO', 'Alamtri Resources Indonesia Tb', 'Alamtri Resources Indonesia Tbk.'],
  ['AKKU', 'Anugerah Kagum Karya Utama Tbk', 'Anugerah Kagum Karya Utama Tbk.'],
])('%s, listed as %s, gets the full name %s', (ticker, listed, whole) => {
  expect(wholeCompanyName(ticker, listed)).toBe(whole);
});

test('a name that is not truncated stays unchanged', () => {
  const longer = 'Bank Pembangunan Daerah Jawa Barat dan Banten Tbk.';
  for (const name of ['Astra Agro Lestari Tbk.', 'Alpha', 'ESSA Industries Indonesia Tbk.', longer])
    expect(wholeCompanyName('AAAA', name)).toBe(name);
});

test('a truncated name without a matching full name yields no name, even if the ticker is known', () => {
  expect(wholeCompanyName('AAAA', 'Gowa Makassar Tourism Developm')).toBeUndefined();
  expect(wholeCompanyName('GMTD', 'Another Makassar Tourism Devel')).toBeUndefined();
  expect(wholeCompanyName('AAAA', '')).toBeUndefined();
});

describe('the real exchange listing', needing(THE_REAL_MARKET, existsSync(ARCHIVE)), () => {
  test('yields for every company a full name that starts with the listed one', () => {
    const csv = execFileSync('tar', ['-xzOf', ARCHIVE, 'idx-daily/listing/all.csv'], { maxBuffer: 1e7 });
    const companies = csv
      .toString()
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => csvFields(line));
    expect(companies.length).toBeGreaterThan(900);
    for (const [ticker, listed] of companies as [string, string][]) {
      const name = wholeCompanyName(ticker, listed.trim());
      expect(name, `${ticker} ${listed}`).toMatch(/ Tbk\.?$/);
      expect(name!.startsWith(listed.trim().replace(/ Tb?k?\.?$/, '')), ticker).toBe(true);
    }
  });
});
