const number = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat('id-ID', options);
const PLAIN = number({ maximumFractionDigits: 2 });
const ONE_DECIMAL = number({ minimumFractionDigits: 1, maximumFractionDigits: 1 });
const EXACT = number({ maximumFractionDigits: 12 });
const EXACT_LONG = number({ notation: 'compact', compactDisplay: 'long', maximumFractionDigits: 9 });
const LONG = number({ notation: 'compact', compactDisplay: 'long', maximumFractionDigits: 1 });
const DATE = new Intl.DateTimeFormat('id-ID', { dateStyle: 'long', timeZone: 'UTC' });

/** Numbers and dates as sentences for people in Bahasa Indonesia write them. */

/** `1.250`, `2,3`. */
export function plainNumber(value: number): string {
  return PLAIN.format(value);
}

/** `65,004`: with every decimal, so that numbers that differ read differently. */
export function exactNumber(value: number): string {
  return EXACT.format(Number(value.toPrecision(12)));
}

/** `18,4`, always with one decimal. */
export function oneDecimal(value: number): string {
  return ONE_DECIMAL.format(value);
}

/** `Rp500`, `Rp42,3 miliar`: amounts from a million up in words. */
export function rupiah(valueIdr: number): string {
  return inRupiah(Math.abs(valueIdr) < 1_000_000 ? PLAIN : LONG, valueIdr);
}

/** `Rp500`, `Rp2,5 miliar`: the same with every rupiah, of whole ones. */
export function exactRupiah(valueIdr: number): string {
  return inRupiah(Math.abs(valueIdr) < 1_000_000 ? PLAIN : EXACT_LONG, valueIdr);
}

function inRupiah(format: Intl.NumberFormat, valueIdr: number): string {
  return `Rp${format.format(valueIdr).replaceAll('\u00a0', ' ')}`;
}

/** `28 Juni 2024` for an ISO date. */
export function longDate(isoDate: string): string {
  return DATE.format(new Date(`${isoDate}T00:00:00Z`));
}
