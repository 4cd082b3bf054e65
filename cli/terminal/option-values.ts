import { InvalidArgumentError } from 'commander';
import { isCalendarDay, startOfJakartaDay } from '#foundation/jakarta-time.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

const SECONDS_OF_UNIT: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };
const WHILE = /^(\d{1,9})([smhdw])$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})$/;

export const EXPIRES_HELP =
  'after a duration (90d), at the end of a day in Jakarta (2027-01-31), or at a time (2027-01-31T17:00+07:00)';

/** Seconds of a duration such as `90s`, `30m`, `24h`, `7d`, `2w` or `0`. */
export function secondsOf(text: string): number {
  if (text === '0') return 0;
  const [, amount, unit] = WHILE.exec(text) ?? [];
  if (amount === undefined || unit === undefined)
    throw new InvalidArgumentError('must be a number with one of the units s, m, h, d, w, for example 24h.');
  return Number(amount) * SECONDS_OF_UNIT[unit]!;
}

/** A moment given as a duration from now, as a day (meaning its end), or as a time with its offset from UTC. */
export function momentAhead(text: string): Date {
  const moment = new Date(msOf(text));
  if (!Number.isNaN(moment.getTime())) return moment;
  throw new InvalidArgumentError(
    'must be a duration such as 90d, a day such as 2027-01-31, or a time with its offset such as 2027-01-31T17:00+07:00.',
  );
}

function msOf(text: string): number {
  if (isCalendarDay(text)) return startOfJakartaDay(text).getTime() + DAY_MS;
  return WHILE.test(text) ? Date.now() + secondsOf(text) * 1_000 : dateTimeOf(text).getTime();
}

/** An invalid date for anything else than a time with its offset. */
function dateTimeOf(text: string): Date {
  return new Date(DATE_TIME.test(text) && isCalendarDay(text.slice(0, 10)) ? text : NaN);
}

export function calendarDay(text: string): string {
  if (isCalendarDay(text)) return text;
  throw new InvalidArgumentError('must be an existing day, YYYY-MM-DD.');
}

/** The seed is sent as a 32-bit number, so a larger value would wrap. */
export function seedNumber(text: string): number {
  const value = wholeNumber(text);
  if (value > 0xffff_ffff) throw new InvalidArgumentError('must be at most 4294967295.');
  return value;
}

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new InvalidArgumentError('must be a whole number.');
  return value;
}

/** Limits and counts are sent as signed 32-bit numbers. */
export function numberFromOne(text: string): number {
  const value = wholeNumber(text);
  if (value < 1) throw new InvalidArgumentError('must be a whole number of at least 1.');
  if (value > 0x7fff_ffff) throw new InvalidArgumentError('must be at most 2147483647.');
  return value;
}

export function commaSeparated(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** A day, or a first and a last one with two dots between them. */
export function daySpan(text: string): { from: string; to: string } {
  const [from = '', to = from, ...more] = text.split('..');
  if (more.length === 0 && isCalendarDay(from) && isCalendarDay(to) && from <= to) return { from, to };
  throw new InvalidArgumentError(
    'must be a day such as 2024-06-28, or a span such as 2024-06-03..2024-06-28.',
  );
}

/** A moment in the past, given as a duration before now or as a time with its offset from UTC. */
export function momentBefore(text: string): Date {
  const moment = WHILE.test(text) ? new Date(Date.now() - secondsOf(text) * 1_000) : dateTimeOf(text);
  if (!Number.isNaN(moment.getTime())) return moment;
  throw new InvalidArgumentError(
    'must be a duration such as 12h, or a time with its offset such as 2027-01-31T17:00+07:00.',
  );
}

/** Parses one of the words. Unlike commander's choices, it lists them only in the message about another word. */
export function oneOf<Word extends string>(words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((known) => known === text);
    if (word === undefined) throw new InvalidArgumentError(`must be one of ${words.join(', ')}.`);
    return word;
  };
}
