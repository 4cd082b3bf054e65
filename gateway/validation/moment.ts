import { invalidRequest } from '#shared/invalid-request.ts';
import { isCalendarDay, startOfJakartaDay } from '#shared/jakarta-time.ts';

export const MOMENT_FORMS =
  'an ISO date (YYYY-MM-DD, a day in Asia/Jakarta), an ISO datetime (Asia/Jakarta unless it has an offset) or ' +
  'unix seconds';

const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?([Zz]|[+ -]([01]\d|2[0-3]):?[0-5]\d)?$/;
const UNIX_SECONDS = /^\d{1,12}(\.\d{1,9})?$/;

/** The ledger can hold nothing outside; such bounds are moved to the edge, which selects the same events. */
const EARLIEST_MS = Date.parse('1970-01-01T00:00:00Z');
const LATEST_MS = Date.parse('2200-01-01T00:00:00Z');
const DAY_MS = 24 * 3_600_000;

/** The moment from which events are wanted; a day counts from its beginning. */
export function sinceMoment(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : bounded(momentOf('since', text));
}

/** The moment before which events are wanted; a day is included whole. */
export function untilMoment(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const moment = momentOf('until', text);
  return bounded(isCalendarDay(text) ? moment + DAY_MS : moment);
}

function momentOf(name: string, text: string): number {
  if (isCalendarDay(text)) return startOfJakartaDay(text).getTime();
  if (UNIX_SECONDS.test(text)) return Number(text) * 1_000;
  const [, day = '', ...parts] = DATE_TIME.exec(text) ?? [];
  const offset = parts[3];
  if (isCalendarDay(day)) {
    const local = text.slice(day.length + 1, offset ? -offset.length : undefined);
    return Date.parse(`${day}T${local}${isoOffset(offset)}`);
  }
  throw invalidRequest([
    { loc: ['query', name], msg: `must be ${MOMENT_FORMS}`, type: 'datetime_parsing', input: text },
  ]);
}

/** A `+` that a client did not encode arrives as a space. */
function isoOffset(offset: string | undefined): string {
  if (!offset) return '+07:00';
  if (/^z$/i.test(offset)) return 'Z';
  return `${offset[0] === ' ' ? '+' : offset[0]}${offset.slice(1, 3)}:${offset.slice(-2)}`;
}

function bounded(ms: number): Date {
  return new Date(Math.min(Math.max(ms, EARLIEST_MS), LATEST_MS));
}
