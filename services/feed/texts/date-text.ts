import { isCalendarDay } from '#foundation/jakarta-time.ts';

const MONTHS: readonly (readonly string[])[] = [
  ['jan', 'januari', 'january'],
  ['feb', 'februari', 'february', 'peb'],
  ['mar', 'maret', 'march'],
  ['apr', 'april'],
  ['may', 'mei'],
  ['jun', 'juni', 'june'],
  ['jul', 'juli', 'july'],
  ['aug', 'agu', 'agt', 'ags', 'agustus', 'august'],
  ['sep', 'sept', 'september'],
  ['oct', 'okt', 'oktober', 'october'],
  ['nov', 'november', 'nop'],
  ['dec', 'des', 'desember', 'december'],
];

/** Parts of a date format. `*` stands for anything, such as a time of day. */
const PARTS: Record<string, string> = {
  YYYY: '(?<year>\\d{4})',
  MMM: '(?<month>[a-z]{3,9})',
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{2})',
  D: '(?<day>\\d{1,2})',
  '*': '.*',
};
const PART = /YYYY|MMM|MM|M|DD|D|\*/g;

/** How date formats are written, for messages. */
export const DATE_FORMAT_WORDS =
  'made of YYYY, MM or M or MMM (a name such as Jul or Agustus), DD or D, and what stands between them; * for anything, at most twice';
/** More can only be what is not a date. It bounds what `*` costs. */
const MAX_LENGTH = 100;

/** Whether a format has a year, a month and a day, each once, and not too much of anything. */
export function isDateFormat(format: string): boolean {
  const parts = Array.from(format.matchAll(PART), ([part]) => part[0]);
  return /^\*{0,2}DMY$/.test(parts.sort().join(''));
}

/** The day (YYYY-MM-DD) that a text stands for in a format; undefined if it stands for none. */
export function dayOf(text: string, format: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const { year, month, day } = patternOf(format).exec(text)?.groups ?? {};
  if (!year || !month || !day) return undefined;
  const number = /\d/.test(month)
    ? Number(month)
    : 1 + MONTHS.findIndex((names) => names.includes(month.toLowerCase()));
  const iso = `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isCalendarDay(iso) ? iso : undefined;
}

const patterns = new Map<string, RegExp>();

function patternOf(format: string): RegExp {
  let pattern = patterns.get(format);
  if (!pattern) {
    const literal = (text: string) => text.replace(/[.+?^${}()|[\]\\/]/g, '\\$&');
    let source = '';
    let from = 0;
    for (const { 0: part, index } of format.matchAll(PART)) {
      source += literal(format.slice(from, index)) + PARTS[part];
      from = index + part.length;
    }
    pattern = new RegExp(`^${source}${literal(format.slice(from))}$`, 'is');
    patterns.set(format, pattern);
  }
  return pattern;
}
