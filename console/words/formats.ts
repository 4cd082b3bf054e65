import { computed } from '@preact/signals';
import { language } from './language.ts';

/** For every formatter. The browser's own language may be no language tag, which formatters refuse. */
export const locale = computed(() => (language.value === 'id' ? 'id-ID' : 'en-GB'));
/** Shown where a number is null. */
export const NONE = '–';

type Shown = number | null | undefined;

/** By what it formats. Making one costs more than formatting a whole table with it. */
const formats = new Map<string, Intl.NumberFormat>();

function formatted(value: number, options: Intl.NumberFormatOptions): string {
  const name = `${locale.value} ${JSON.stringify(options)}`;
  const format = formats.get(name) ?? new Intl.NumberFormat(locale.value, options);
  formats.set(name, format);
  return format.format(value);
}

/** Formats a number with at most this many decimals. */
export function number(value: Shown, decimals = 0): string {
  if (value === null || value === undefined) return NONE;
  return formatted(value, { maximumFractionDigits: decimals });
}

/** Formats a number with exactly this many decimals, for columns. */
export function fixed(value: Shown, decimals: number): string {
  if (value === null || value === undefined) return NONE;
  return formatted(value, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
}

/** The same with a sign, also for positive numbers. */
export function signed(value: Shown, decimals: number): string {
  if (value === null || value === undefined) return NONE;
  return formatted(value, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    signDisplay: 'exceptZero',
  });
}

/** A value in percent. */
export function percent(value: Shown, decimals = 1): string {
  return value === null || value === undefined ? NONE : `${fixed(value, decimals)}%`;
}

export function signedPercent(value: Shown, decimals = 1): string {
  return value === null || value === undefined ? NONE : `${signed(value, decimals)}%`;
}

/** Abbreviates large values: thousands, millions, billions. */
export function short(value: Shown): string {
  if (value === null || value === undefined) return NONE;
  return formatted(value, { notation: 'compact', maximumFractionDigits: 1 });
}

/** An amount in IDR, with large values abbreviated. */
export function rupiah(value: Shown): string {
  if (value === null || value === undefined) return NONE;
  return `${value < 0 ? '-' : ''}Rp ${short(Math.abs(value))}`;
}

/** A day, given as YYYY-MM-DD. */
export function day(iso: string | null | undefined): string {
  if (!iso) return NONE;
  const at = new Date(`${iso.slice(0, 10)}T00:00:00Z`);
  return unbroken(new Intl.DateTimeFormat(locale.value, { dateStyle: 'medium', timeZone: 'UTC' }).format(at));
}

/** Date and time, in the exchange’s time zone. */
export function moment(iso: string | null | undefined): string {
  if (!iso) return NONE;
  const format = new Intl.DateTimeFormat(locale.value, {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone: 'Asia/Jakarta',
  });
  return unbroken(format.format(new Date(iso)));
}

/** The time of day, in the exchange’s time zone. */
export function clock(iso: string | null | undefined): string {
  if (!iso) return NONE;
  return new Intl.DateTimeFormat(locale.value, { timeStyle: 'short', timeZone: 'Asia/Jakarta' }).format(
    new Date(iso),
  );
}

/** Prevents line breaks, also in a narrow column. */
function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}

export function seconds(value: Shown): string {
  return value === null || value === undefined ? NONE : `${fixed(value, value < 10 ? 2 : 1)} s`;
}

/** Formats seconds in the largest unit that fits: `42 s`, `12 min`, `5 h`, `3 d`. */
export function duration(value: Shown): string {
  if (value === null || value === undefined) return NONE;
  if (value < 10) return seconds(value);
  const [size, unit] = UNITS.find(([, , least]) => value >= least)!;
  return unbroken(`${number(value / size)} ${unit}`);
}

/** The seconds in a unit, its symbol, and the number of seconds from which it is used. */
const UNITS: [size: number, unit: string, least: number][] = [
  [86_400, 'd', 172_800],
  [3_600, 'h', 6_000],
  [60, 'min', 100],
  [1, 's', 0],
];

export function mebibytes(bytes: Shown): string {
  return bytes === null || bytes === undefined ? NONE : unbroken(`${number(bytes / 1_048_576)} MiB`);
}

/** The short name of a month, 0 for January. */
export function monthName(month: number): string {
  const format = new Intl.DateTimeFormat(locale.value, { month: 'short', timeZone: 'UTC' });
  return format.format(new Date(Date.UTC(2000, month, 1)));
}
