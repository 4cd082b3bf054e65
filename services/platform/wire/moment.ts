import { isCalendarDay, startOfJakartaDay } from '#foundation/jakarta-time.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

/** The forms in which a REST client may write a moment. */
export const MOMENT_FORMS =
  'an ISO date (YYYY-MM-DD, a day in Asia/Jakarta), an ISO datetime (Asia/Jakarta unless it has an offset) or ' +
  'unix seconds (ten digits, so from 2001-09-09 on)';

/** A day means its start (`moment`) or its end (`moment-through-day`). */
export const MOMENT_FORMATS = ['moment', 'moment-through-day'] as const;
export type MomentFormat = (typeof MOMENT_FORMATS)[number];

const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?([Zz]|[+ -]([01]\d|2[0-3]):?[0-5]\d)?$/;
/** Fewer digits are a day such as 20261128, which would be one in 1970, and more are a minute or milliseconds. */
const UNIX_SECONDS = /^[1-9]\d{9}(\.\d{1,9})?$/;

/**
 * The ledger cannot hold events outside these bounds. Moments outside are moved to the bound, which selects the same events.
 */
const EARLIEST_MS = Date.parse('1970-01-01T00:00:00Z');
const LATEST_MS = Date.parse('2200-01-01T00:00:00Z');

/** Undefined for a text that is not a moment. */
export function momentOf(format: MomentFormat, text: string): Date | undefined {
  const ms = isCalendarDay(text)
    ? startOfJakartaDay(text).getTime() + (format === 'moment-through-day' ? DAY_MS : 0)
    : preciseMs(text);
  return ms === undefined ? undefined : new Date(Math.min(Math.max(ms, EARLIEST_MS), LATEST_MS));
}

function preciseMs(text: string): number | undefined {
  if (UNIX_SECONDS.test(text)) return Number(text) * 1_000;
  const [, day = '', ...parts] = DATE_TIME.exec(text) ?? [];
  const offset = parts[3];
  if (!isCalendarDay(day)) return undefined;
  const local = text.slice(day.length + 1, offset ? -offset.length : undefined);
  return Date.parse(`${day}T${local}${isoOffset(offset)}`);
}

/** A `+` that a client did not encode arrives as a space. */
function isoOffset(offset: string | undefined): string {
  if (!offset) return '+07:00';
  if (/^z$/i.test(offset)) return 'Z';
  return `${offset[0] === ' ' ? '+' : offset[0]}${offset.slice(1, 3)}:${offset.slice(-2)}`;
}
