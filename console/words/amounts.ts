import type { Language } from './language.ts';

/** The words for large amounts, the first of each as it is shown. M means one thing in English and another in Indonesian. */
const WORDS: Readonly<Record<Language, readonly (readonly [size: number, ...words: string[]])[]>> = {
  en: [
    [1e12, 'trillion', 'tn', 'T'],
    [1e9, 'billion', 'bn', 'B'],
    [1e6, 'million', 'M'],
    [1e3, 'thousand', 'K'],
  ],
  id: [
    [1e12, 'triliun', 'T'],
    [1e9, 'miliar', 'M', 'B'],
    [1e6, 'juta', 'jt'],
    [1e3, 'ribu', 'rb', 'K'],
  ],
};
/** Smaller amounts are shown digit by digit. */
const LARGE = 1e6;
const SHORT = /^-?\d{1,3}(\.\d{1,3})?$/;
const AMOUNT = /^(-?[\d.]+(?:e[+-]?\d+)?)\s*(%|[a-z]+)?$/i;

/** A number as people write it, with a word for large amounts: 10000000000 is `10 billion`. */
export function amountText(value: number, language: Language): string {
  const [size, word] = WORDS[language].find(([size]) => Math.abs(value) >= Math.max(size, LARGE)) ?? [];
  const text = size === undefined ? '' : `${value / size}`;
  // Only what says the same: digits must not be lost.
  return SHORT.test(text) && Number(text) * size! === value ? `${text} ${word}` : `${value}`;
}

/** A share as people write it: 0.08 is `8 %`. */
export function shareText(value: number): string {
  const percent = Number((value * 100).toPrecision(12));
  return percent / 100 === value ? `${percent} %` : `${value}`;
}

/**
 * The number that a person wrote, such as `10 B`, `10 miliar`, `8 %` or `0.08`; undefined for anything else.
 * @param isShare whether a percent is a hundredth
 */
export function amountOf(text: string, language: Language, isShare: boolean): number | undefined {
  const [, digits, word] = AMOUNT.exec(text.trim()) ?? [];
  const value = Number(digits);
  if (digits === undefined || Number.isNaN(value)) return undefined;
  if (word === undefined) return value;
  if (word === '%') return isShare ? value / 100 : value;
  const other = language === 'en' ? 'id' : 'en';
  const isIt = (one: string) => one.toLowerCase() === word.toLowerCase();
  const [size] = [...WORDS[language], ...WORDS[other]].find(([, ...words]) => words.some(isIt)) ?? [];
  return size === undefined ? undefined : value * size;
}
