import type { TradingCalendar } from './trading-calendar.ts';

/** A day with data on which the exchange was closed according to the calendar. One of the two is wrong. */
export interface ServedClosedDay {
  kind: 'served_closed_day';
  /** ISO date. */
  date: string;
  /** Why the exchange was closed, in words. */
  closedFor: string;
}

/** Trading days in a row without data, though earlier and later days have some. */
export interface Gap {
  kind: 'gap';
  /** The first and the last of them, ISO dates. */
  from: string;
  to: string;
  tradingDays: number;
  /** Whether one of them only counts as a trading day because its year is not listed: it may be a holiday. */
  isAssumed: boolean;
}

export type ServedDayFinding = ServedClosedDay | Gap;

/**
 * Where days with data (ISO dates, ascending, each once) contradict the calendar, in order of time. Days before the first and
 * after the last are no gap; `freshness` tells of the latter.
 */
export function compareServedDays(
  calendar: TradingCalendar,
  servedDays: readonly string[],
): ServedDayFinding[] {
  const findings: ServedDayFinding[] = [];
  for (const [i, date] of servedDays.entries()) {
    const gap = i > 0 && gapBetween(calendar, servedDays[i - 1]!, date);
    if (gap) findings.push(gap);
    const { closedFor } = calendar.day(date);
    if (closedFor !== null) findings.push({ kind: 'served_closed_day', date, closedFor });
  }
  return findings;
}

/** The gap between two days with data that follow each other, or null. */
function gapBetween(calendar: TradingCalendar, before: string, after: string): Gap | null {
  const missing = calendar.missingDays(before, calendar.previousTradingDay(after));
  if (missing.length === 0) return null;
  return {
    kind: 'gap',
    from: missing[0]!,
    to: missing.at(-1)!,
    tradingDays: missing.length,
    isAssumed: missing.some((isoDate) => calendar.day(isoDate).isAssumed),
  };
}
