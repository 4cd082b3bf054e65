/** Languages of sentences. The first one is the default. */
export const LANGUAGES = ['id', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A sentence in every language, as plain data. */
export type Sentence = Readonly<Record<Language, string>>;

/** How a language writes numbers and dates. */
export interface Formats {
  /** `1.250`, `2,3`. */
  plain: (value: number) => string;
  /** `65,004`: with every decimal, so that different numbers read differently. */
  exact: (value: number) => string;
  /** `18,4`, always with one decimal. */
  oneDecimal: (value: number) => string;
  /** `Rp500`, `Rp42,3 miliar`: amounts from a million up are written with words. */
  rupiah: (valueIdr: number) => string;
  /** `Rp500`, `Rp2,5 miliar`: like `rupiah`, but not rounded. For whole amounts. */
  exactRupiah: (valueIdr: number) => string;
  /** `28 Juni 2024` for an ISO date. */
  date: (isoDate: string) => string;
}

/** The examples above are in Bahasa Indonesia; English has `1,250` and `Rp42.3 billion`. */
export const FORMATS: Readonly<Record<Language, Formats>> = {
  id: formatsOf('id-ID'),
  en: formatsOf('en-GB'),
};

/** Each format is made at its first use: all of them take a hundredth of a second, in each process and thread that has sentences. */
function formatsOf(locale: string): Formats {
  const number = (options: Intl.NumberFormatOptions) => once(() => new Intl.NumberFormat(locale, options));
  const plain = number({ maximumFractionDigits: 2 });
  const oneDecimal = number({ minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const exact = number({ maximumFractionDigits: 12 });
  const long = { notation: 'compact', compactDisplay: 'long' } as const;
  const inWords = number({ ...long, maximumFractionDigits: 1 });
  const exactInWords = number({ ...long, maximumFractionDigits: 9 });
  const date = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }));
  const rupiah = (words: () => Intl.NumberFormat) => (valueIdr: number) => {
    const format = Math.abs(valueIdr) < 1_000_000 ? plain : words;
    return `Rp${format().format(valueIdr).replaceAll('\u00a0', ' ')}`;
  };
  return {
    plain: (value) => plain().format(value),
    exact: (value) => exact().format(Number(value.toPrecision(12))),
    oneDecimal: (value) => oneDecimal().format(value),
    rupiah: rupiah(inWords),
    exactRupiah: rupiah(exactInWords),
    date: (isoDate) => date().format(new Date(`${isoDate}T00:00:00Z`)),
  };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** Of an Accept-Language header, enough for every browser. The rest of a longer one is ignored. */
const MAX_HEADER_LENGTH = 1_000;
const RANGE = /^([a-z]{1,8}(?:-[a-z0-9]{1,8})*|\*)(?:\s*;\s*q=([01](?:\.\d{0,3})?))?$/i;

/**
 * The offered language tag that an Accept-Language header prefers; undefined without a match. `en` matches `en-GB` and the
 * reverse, after tags that match exactly. Malformed parts of the header are ignored.
 */
export function preferredOf(header: string | undefined, offered: readonly string[]): string | undefined {
  for (const range of rangesOf(header?.slice(0, MAX_HEADER_LENGTH) ?? '')) {
    const found =
      range === '*'
        ? offered[0]
        : (offered.find((tag) => tag.toLowerCase() === range) ??
          offered.find((tag) => isKin(tag.toLowerCase(), range)));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The ranges of the header in lower case, most preferred first. */
function rangesOf(header: string): string[] {
  return header
    .split(',')
    .map((part) => RANGE.exec(part.trim()))
    .filter((match) => match !== null)
    .map(([, range, quality = '1']) => ({ range: range!.toLowerCase(), quality: Number(quality) }))
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ range }) => range);
}

function isKin(one: string, other: string): boolean {
  return one.startsWith(`${other}-`) || other.startsWith(`${one}-`);
}
