import { SECTORS } from './sectors.ts';

const VOWELS = ['A', 'E', 'I', 'O', 'U'];
const CONSONANTS = [...'BCDFGHJKLMNPRSTVWXYZ'];

/**
 * Every invented code: four letters, the first a Q, which no listed company has, so that none is taken for
 * a real one. Pronounceable ones (QABA) first.
 */
export const TICKER_CODES: readonly string[] = [
  ...VOWELS.flatMap((a) => CONSONANTS.flatMap((b) => VOWELS.map((c) => `Q${a}${b}${c}`))),
  ...VOWELS.flatMap((a) => CONSONANTS.flatMap((b) => CONSONANTS.map((c) => `Q${a}${b}${c}`))),
];

const DIGITS = ['', 'Satu', 'Dua', 'Tiga', 'Empat', 'Lima', 'Enam', 'Tujuh', 'Delapan', 'Sembilan'];

/** An Indonesian number word, 1..999. */
export function numeral(value: number): string {
  if (value >= 100)
    return spaced(value < 200 ? 'Seratus' : `${DIGITS[Math.floor(value / 100)]} Ratus`, value % 100);
  if (value >= 20) return spaced(`${DIGITS[Math.floor(value / 10)]} Puluh`, value % 10);
  if (value >= 12) return `${DIGITS[value - 10]} Belas`;
  return DIGITS[value] ?? (value === 10 ? 'Sepuluh' : 'Sebelas');
}

function spaced(head: string, rest: number): string {
  return rest === 0 ? head : `${head} ${numeral(rest)}`;
}

/** The name of the n-th company (from 1) of a sector, which says of itself that it is invented. */
export function companyName(sector: number, n: number): string {
  return `Contoh ${SECTORS[sector]!.word} ${numeral(n)} Tbk (sintetis)`;
}
