const number = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat('id-ID', options);
const PLAIN = number({ maximumFractionDigits: 2 });
const ONE_DECIMAL = number({ minimumFractionDigits: 1, maximumFractionDigits: 1 });
const LONG = number({ notation: 'compact', compactDisplay: 'long', maximumFractionDigits: 1 });
const DATE = new Intl.DateTimeFormat('id-ID', { dateStyle: 'long', timeZone: 'UTC' });

/** Numbers and dates as sentences for people in Bahasa Indonesia write them. */

/** `1.250`, `2,3`. */
export function plainNumber(value: number): string {
  return PLAIN.format(value);
}

/** `18,4`, always with one decimal. */
export function oneDecimal(value: number): string {
  return ONE_DECIMAL.format(value);
}

/** `Rp500`, `Rp42,3 miliar`: amounts from a million up in words. */
export function rupiah(valueIdr: number): string {
  const format = Math.abs(valueIdr) < 1_000_000 ? PLAIN : LONG;
  return `Rp${format.format(valueIdr).replaceAll('\u00a0', ' ')}`;
}

/** `28 Juni 2024` for an ISO date. */
export function longDate(isoDate: string): string {
  return DATE.format(new Date(`${isoDate}T00:00:00Z`));
}
