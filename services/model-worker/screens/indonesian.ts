const number = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat('id-ID', options);
const PLAIN = number({ maximumFractionDigits: 2 });
const LONG = number({ notation: 'compact', compactDisplay: 'long', maximumFractionDigits: 1 });
const DATE = new Intl.DateTimeFormat('id-ID', { dateStyle: 'long', timeZone: 'UTC' });

/** `1.250`, `2,3`. */
export function plainNumber(value: number): string {
  return PLAIN.format(value);
}

/** `Rp500`, `Rp10 miliar`: amounts from a million up in words. */
export function rupiah(value: number): string {
  return `Rp${value < 1_000_000 ? PLAIN.format(value) : LONG.format(value).replaceAll('\u00a0', ' ')}`;
}

/** `28 Juni 2024` for an ISO date. */
export function longDate(isoDate: string): string {
  return DATE.format(new Date(`${isoDate}T00:00:00Z`));
}
