export interface NumberMarks {
  decimal: DecimalMark;
  thousands: ThousandsMark;
  /** What a number is multiplied with if it ends in one of these: `{"K": 1000}`. */
  suffixes: Readonly<Record<string, number>>;
}

export const DECIMAL_MARKS = ['.', ','] as const;
type DecimalMark = (typeof DECIMAL_MARKS)[number];

/** Empty if thousands are not marked. A space stands for any kind of space. */
export const THOUSANDS_MARKS = ['', ',', '.', ' ', "'"] as const;
type ThousandsMark = (typeof THOUSANDS_MARKS)[number];

const SPACE = '[ \\u00A0\\u2009\\u202F]';
const IN_PATTERN: Record<ThousandsMark, string> = { '': '', ',': ',', '.': '\\.', ' ': SPACE, "'": "'" };

/** Digits of a double that survive decimal factors: 1.1 million is 1100000. */
const EXACT_DIGITS = 15;

/**
 * The number that a text stands for; undefined if it stands for none. `(12)` is -12. Thousands are marked throughout or not at
 * all, and only in groups of three digits, so that a mark that means something else is not taken for one.
 */
export function numberOf(text: string, marks: NumberMarks): number | undefined {
  const suffix = longest(Object.keys(marks.suffixes).filter((end) => text.endsWith(end)));
  const bare = text.slice(0, text.length - suffix.length).trim();
  const found = patternOf(marks).exec(bare.replace(/^\((.*)\)$/s, '-$1'));
  if (!found) return undefined;
  const [, sign, whole, fraction = '', exponent = ''] = found;
  const number = Number(`${sign}${whole!.replace(/\D/g, '')}${fraction.replace(',', '.')}${exponent}`);
  return Number.isFinite(number) ? scaled(number, suffix === '' ? 1 : marks.suffixes[suffix]!) : undefined;
}

/** `12 rb` ends in `b` too. */
function longest(suffixes: string[]): string {
  return suffixes.reduce((found, suffix) => (suffix.length > found.length ? suffix : found), '');
}

/** The product without the noise of binary fractions. */
export function scaled(number: number, factor: number): number {
  return factor === 1 ? number : Number((number * factor).toPrecision(EXACT_DIGITS));
}

const patterns = new Map<string, RegExp>();

/** Sign, whole part, fraction with its mark, exponent. */
function patternOf({ decimal, thousands }: NumberMarks): RegExp {
  const key = decimal + thousands;
  let pattern = patterns.get(key);
  if (!pattern) {
    const grouped = thousands === '' ? '' : `|\\d{1,3}(?:${IN_PATTERN[thousands]}\\d{3})+`;
    pattern = new RegExp(`^([+-]?)(\\d+${grouped})(${IN_PATTERN[decimal]}\\d+)?(e[+-]?\\d+)?$`, 'i');
    patterns.set(key, pattern);
  }
  return pattern;
}
