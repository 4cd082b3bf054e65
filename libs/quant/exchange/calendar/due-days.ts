import { epochDayFromIso, isoFromEpochDay } from '#foundation/iso-day.ts';
import type { TradingCalendar } from './trading-calendar.ts';
import { isClockTime, momentInJakarta } from './trading-hours.ts';

const MS_PER_MINUTE = 60_000;

/** When the data of a trading day should be there. */
interface DueTimes {
  /** `HH:MM` in Jakarta on that day. A time before the end of trading counts as the end of trading. */
  dueAt: string;
  /** Minutes after which a day that is due and missing is late: a matter for somebody, not for patience. */
  lateAfterMinutes: number;
}

/** The exchange publishes its daily summary between 17:00 and 18:35. */
export const DAILY_SUMMARY: DueTimes = { dueAt: '18:35', lateAfterMinutes: 120 };

/**
 * The moment at which a trading day is due.
 * @throws RangeError for a clock time that is not `HH:MM`
 */
export function dueMoment(
  calendar: TradingCalendar,
  isoDate: string,
  dueAt: string = DAILY_SUMMARY.dueAt,
): Date {
  if (!isClockTime(dueAt)) throw new RangeError(`dueAt must be a time of day HH:MM, got ${dueAt}`);
  const due = momentInJakarta(isoDate, dueAt);
  const end = calendar.endOfTrading(isoDate);
  return due < end ? end : due;
}

/** The newest trading day that is due at a moment. */
export function newestDueDay(
  calendar: TradingCalendar,
  moment: Date,
  dueAt: string = DAILY_SUMMARY.dueAt,
): string {
  const utcDay = moment.toISOString().slice(0, 'YYYY-MM-DD'.length);
  // Jakarta is at most one day ahead of UTC.
  let isoDate = calendar.tradingDayOnOrBefore(isoFromEpochDay(epochDayFromIso(utcDay) + 1));
  while (dueMoment(calendar, isoDate, dueAt) > moment) isoDate = calendar.previousTradingDay(isoDate);
  return isoDate;
}

/** How data compares with what is due. */
interface Freshness {
  /** The newest trading day that is due. */
  expectedAsOf: string;
  /** Trading days that are due and missing at the end of the data; 0 also for data newer than is due. */
  behindTradingDays: number;
  /** Whether one of them is late. */
  isLate: boolean;
  /** Whether one of them only counts as a trading day because its year is not listed: it may be a holiday. */
  isAssumed: boolean;
}

/** How data that ends on `servedUpTo` (ISO date) compares at a moment with what is due. */
export function freshness(
  calendar: TradingCalendar,
  servedUpTo: string,
  moment: Date,
  { dueAt, lateAfterMinutes }: DueTimes = DAILY_SUMMARY,
): Freshness {
  const expectedAsOf = newestDueDay(calendar, moment, dueAt);
  const missing = calendar.missingDays(servedUpTo, expectedAsOf);
  const lateSince = new Date(moment.getTime() - lateAfterMinutes * MS_PER_MINUTE);
  return {
    expectedAsOf,
    behindTradingDays: missing.length,
    isLate: newestDueDay(calendar, lateSince, dueAt) > servedUpTo,
    isAssumed: missing.some((isoDate) => calendar.day(isoDate).isAssumed),
  };
}
