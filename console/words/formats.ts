import { computed } from '@preact/signals';
import { language } from './language.ts';

/** For every formatter. The browser's own language may be no language tag, which formatters refuse. */
export const locale = computed(() => (language.value === 'id' ? 'id-ID' : 'en-GB'));
/** Shown where a number is null. */
export const NONE = '–';

type Shown = number | null | undefined;

/** By what it formats. Making one costs more than formatting a whole table with it. */
const formats = new Map<string, Intl.NumberFormat>();

function formatted(value: Shown, options: Intl.NumberFormatOptions): string {
  if (value === null || value === undefined) return NONE;
  const name = `${locale.value} ${JSON.stringify(options)}`;
  const format = formats.get(name) ?? new Intl.NumberFormat(locale.value, options);
  formats.set(name, format);
  return format.format(value);
}

/** A number that is there, with what belongs to it. */
const withUnit = (value: Shown, shown: (value: number) => string) =>
  value === null || value === undefined ? NONE : shown(value);

/** Formats a number with at most this many decimals. */
export const number = (value: Shown, decimals = 0) => formatted(value, { maximumFractionDigits: decimals });

/** Formats a number with exactly this many decimals, for columns. */
export const fixed = (value: Shown, decimals: number) =>
  formatted(value, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });

/** The same with a sign, also for positive numbers. */
export const signed = (value: Shown, decimals: number) =>
  formatted(value, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    signDisplay: 'exceptZero',
  });

/** A value in percent. */
export const percent = (value: Shown, decimals = 1) =>
  withUnit(value, (share) => `${fixed(share, decimals)}%`);

export const signedPercent = (value: Shown, decimals = 1) =>
  withUnit(value, (share) => `${signed(share, decimals)}%`);

/** Abbreviates large values: thousands, millions, billions. */
export const short = (value: Shown) => formatted(value, { notation: 'compact', maximumFractionDigits: 1 });

/** An amount in IDR, with large values abbreviated. */
export const rupiah = (value: Shown) =>
  withUnit(value, (idr) => `${idr < 0 ? '-' : ''}Rp ${short(Math.abs(idr))}`);

function moments(iso: string, options: Intl.DateTimeFormatOptions): string {
  return unbroken(new Intl.DateTimeFormat(locale.value, options).format(new Date(iso)));
}

/** A day, given as YYYY-MM-DD. */
export const day = (iso: string | null | undefined) =>
  iso ? moments(`${iso.slice(0, 10)}T00:00:00Z`, { dateStyle: 'medium', timeZone: 'UTC' }) : NONE;

/** Date and time, in the exchange’s time zone. */
export const moment = (iso: string | null | undefined) =>
  iso ? moments(iso, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'Asia/Jakarta' }) : NONE;

/** The time of day, in the exchange’s time zone. */
export const clock = (iso: string | null | undefined) =>
  iso ? moments(iso, { timeStyle: 'short', timeZone: 'Asia/Jakarta' }) : NONE;

/** Prevents line breaks, also in a narrow column. */
function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}

export const seconds = (value: Shown) => withUnit(value, (some) => `${fixed(some, some < 10 ? 2 : 1)} s`);

/** Formats seconds in the largest unit that fits: `42 s`, `12 min`, `5 h`, `3 d`. */
export const duration = (value: Shown) =>
  withUnit(value, (some) => {
    if (some < 10) return seconds(some);
    const [size, unit] = UNITS.find(([, , least]) => some >= least)!;
    return unbroken(`${number(some / size)} ${unit}`);
  });

/** The seconds in a unit, its symbol, and the number of seconds from which it is used. */
const UNITS: [size: number, unit: string, least: number][] = [
  [86_400, 'd', 172_800],
  [3_600, 'h', 6_000],
  [60, 'min', 100],
  [1, 's', 0],
];

export const mebibytes = (bytes: Shown) =>
  withUnit(bytes, (some) => unbroken(`${number(some / 1_048_576)} MiB`));

/** The short name of a month, 0 for January. */
export const monthName = (month: number) =>
  moments(new Date(Date.UTC(2000, month, 1)).toISOString(), { month: 'short', timeZone: 'UTC' });
