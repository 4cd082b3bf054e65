import { epochDayFromIso, isoFromEpochDay } from '#foundation/iso-day.ts';
import { CLOSURES, FIRST_LISTED_YEAR, LAST_LISTED_YEAR } from './closures.ts';
import { momentInJakarta, usualHours, type TradingHours } from './trading-hours.ts';

/** What is known of the days of an exchange. Days are ISO dates. */
export interface CalendarFacts {
  /** Weekdays without trading, and why. */
  closures: Readonly<Record<string, string>>;
  /** Weekdays known to be open, also in a year that is not listed. None of them is a closure. */
  openings: readonly string[];
  /** Trading days that end before the usual time: `HH:MM` in Jakarta, for all markets. */
  earlyCloses: Readonly<Record<string, string>>;
  /** Years whose closures are all known. */
  listedYears: readonly number[];
}

/** Whether the exchange trades on a day. */
interface CalendarDay {
  isOpen: boolean;
  /** Why it is closed, in words; null on a trading day. */
  closedFor: string | null;
  /** The year is not listed, so that the day, a weekday, merely counts as open: it may turn out to be a holiday. */
  isAssumed: boolean;
}

const OPEN: CalendarDay = { isOpen: true, closedFor: null, isAssumed: false };
const ASSUMED_OPEN: CalendarDay = { isOpen: true, closedFor: null, isAssumed: true };
const WEEKEND: CalendarDay = { isOpen: false, closedFor: 'weekend', isAssumed: false };

/**
 * The trading days of an exchange. Every method takes and returns ISO dates and throws a RangeError for anything else. A weekday
 * of a year that is not listed counts as a trading day, and `day` says that it is assumed.
 */
export class TradingCalendar {
  readonly facts: CalendarFacts;
  readonly #closures: ReadonlyMap<string, string>;
  readonly #openings: ReadonlySet<string>;
  readonly #earlyCloses: ReadonlyMap<string, string>;
  readonly #listedYears: ReadonlySet<string>;

  constructor(facts: CalendarFacts) {
    this.facts = facts;
    this.#closures = new Map(Object.entries(facts.closures));
    this.#openings = new Set(facts.openings);
    this.#earlyCloses = new Map(Object.entries(facts.earlyCloses));
    this.#listedYears = new Set(facts.listedYears.map(String));
  }

  /** What is known of a day. */
  day(isoDate: string): CalendarDay {
    return this.#day(epochDayFromIso(isoDate), isoDate);
  }

  isTradingDay(isoDate: string): boolean {
    return this.day(isoDate).isOpen;
  }

  /** The first trading day after a day. */
  nextTradingDay(isoDate: string): string {
    return this.#seek(epochDayFromIso(isoDate) + 1, 1);
  }

  /** The last trading day before a day. */
  previousTradingDay(isoDate: string): string {
    return this.#seek(epochDayFromIso(isoDate) - 1, -1);
  }

  /** The day itself if it is a trading day, otherwise the last one before it. */
  tradingDayOnOrBefore(isoDate: string): string {
    return this.#seek(epochDayFromIso(isoDate), -1);
  }

  /** The trading days from one day to another, both included, ascending. */
  tradingDays(from: string, to: string): string[] {
    const days: string[] = [];
    const last = epochDayFromIso(to);
    for (let epochDay = epochDayFromIso(from); epochDay <= last; epochDay++) {
      const isoDate = isoFromEpochDay(epochDay);
      if (this.#day(epochDay, isoDate).isOpen) days.push(isoDate);
    }
    return days;
  }

  /** The last `count` trading days up to a day, which is included, ascending. */
  lastTradingDays(count: number, upTo: string): string[] {
    const days: string[] = [];
    for (let epochDay = epochDayFromIso(upTo); days.length < count; epochDay--) {
      const isoDate = isoFromEpochDay(epochDay);
      if (this.#day(epochDay, isoDate).isOpen) days.push(isoDate);
    }
    return days.reverse();
  }

  /** The trading days that data up to a day lacks to reach another: those after the first, up to and including the second. */
  missingDays(servedUpTo: string, expected: string): string[] {
    return this.tradingDays(isoFromEpochDay(epochDayFromIso(servedUpTo) + 1), expected);
  }

  /**
   * The trading days that data lacks between its first and its last day, ascending. Those that only count as trading days are left
   * out, because each may have been a holiday.
   */
  holesIn(days: readonly string[]): string[] {
    if (days.length === 0) return [];
    const there = new Set(days);
    return this.tradingDays(days[0]!, days.at(-1)!).filter(
      (isoDate) => !there.has(isoDate) && !this.day(isoDate).isAssumed,
    );
  }

  /** When trading ends on a trading day; what it would be on any other. */
  hours(isoDate: string): TradingHours {
    epochDayFromIso(isoDate);
    const early = this.#earlyCloses.get(isoDate);
    return early === undefined ? usualHours(isoDate) : { regular: early, negotiated: early };
  }

  /** The moment after which nothing trades any more on a trading day. Data of an earlier moment is that of a part of the day. */
  endOfTrading(isoDate: string): Date {
    return momentInJakarta(isoDate, this.hours(isoDate).negotiated);
  }

  /** The first trading day from a day on, in steps of 1 or -1. */
  #seek(from: number, step: 1 | -1): string {
    for (let epochDay = from; ; epochDay += step) {
      const isoDate = isoFromEpochDay(epochDay);
      if (this.#day(epochDay, isoDate).isOpen) return isoDate;
    }
  }

  #day(epochDay: number, isoDate: string): CalendarDay {
    if (isWeekend(epochDay)) return WEEKEND;
    const closedFor = this.#closures.get(isoDate);
    if (closedFor !== undefined) return { isOpen: false, closedFor, isAssumed: false };
    const isKnown = this.#listedYears.has(isoDate.slice(0, 4)) || this.#openings.has(isoDate);
    return isKnown ? OPEN : ASSUMED_OPEN;
  }
}

/** Whether days since 1970-01-01, a Thursday, lead to a Saturday or Sunday. */
export function isWeekend(epochDay: number): boolean {
  return (((epochDay + 3) % 7) + 7) % 7 > 4;
}

/** The Indonesia Stock Exchange as far as this version of the code knows it. */
export const IDX_CALENDAR = new TradingCalendar({
  closures: CLOSURES,
  openings: [],
  earlyCloses: {},
  listedYears: Array.from(
    { length: LAST_LISTED_YEAR - FIRST_LISTED_YEAR + 1 },
    (_, i) => FIRST_LISTED_YEAR + i,
  ),
});
