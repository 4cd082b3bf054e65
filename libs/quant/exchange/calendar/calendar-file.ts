import { epochDayFromIso } from '#foundation/iso-day.ts';
import { IDX_CALENDAR, isWeekend, TradingCalendar, type CalendarFacts } from './trading-calendar.ts';
import { isClockTime, REGULAR_OPENING, usualHours } from './trading-hours.ts';

const MAX_REASON_CHARS = 200;
/** The exchange reopened in 1977. A year after the last is a slip of the pen. */
const FIRST_YEAR = 1977;
const LAST_YEAR = 2100;

const FIELDS = ['closures', 'openings', 'early_closes', 'listed_years'];

/** What is wrong with a calendar file, and where. */
export class CalendarFileError extends Error {
  /** The path of the value, such as `closures["2027-01-01"]`; empty for the file as a whole. */
  readonly field: string;

  constructor(field: string, wrong: string) {
    super(['calendar file', field, wrong].filter(Boolean).join(': '));
    this.name = 'CalendarFileError';
    this.field = field;
  }
}

/**
 * A calendar of the facts of `base` and of a file, which overrules them. The file is JSON with any of four fields:
 * ```json
 * {
 *   "closures": { "2027-01-01": "New Year's Day" },
 *   "openings": ["2026-12-24"],
 *   "early_closes": { "2026-12-30": "12:00" },
 *   "listed_years": [2027]
 * }
 * ```
 * `openings` are weekdays on which the exchange trades, early closes are times in Jakarta, and the closures of a listed year are
 * complete. A closure on a weekend is no mistake, since lists of national holidays have some.
 * @throws CalendarFileError that names the first wrong value and what is allowed
 */
export function readCalendarFile(text: string, base: TradingCalendar = IDX_CALENDAR): TradingCalendar {
  const file = object('', parsed(text));
  const unknown = Object.keys(file).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined)
    throw new CalendarFileError(unknown, `unknown field; allowed are ${FIELDS.join(', ')}`);
  const changes: CalendarFacts = {
    closures: closuresOf(file['closures']),
    openings: openingsOf(file['openings']),
    earlyCloses: earlyClosesOf(file['early_closes']),
    listedYears: listedYearsOf(file['listed_years']),
  };
  const both = changes.openings.findIndex((isoDate) => Object.hasOwn(changes.closures, isoDate));
  if (both >= 0)
    throw new CalendarFileError(`openings[${both}]`, `${changes.openings[both]} is also one of the closures`);
  const calendar = new TradingCalendar(overruled(base.facts, changes));
  requireOpenEarlyCloses(changes, calendar);
  requireClosuresOfListedYears(changes, calendar);
  return calendar;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CalendarFileError('', `not JSON: ${(error as Error).message}`);
  }
}

function closuresOf(value: unknown = {}): Record<string, string> {
  return Object.fromEntries(
    entriesByDay('closures', value).map(([field, isoDate, reason]) => {
      if (typeof reason !== 'string' || reason.trim() === '' || reason.length > MAX_REASON_CHARS)
        throw new CalendarFileError(
          field,
          `must be the reason, a text of 1 to ${MAX_REASON_CHARS} characters`,
        );
      return [isoDate, reason];
    }),
  );
}

function openingsOf(value: unknown = []): string[] {
  return list('openings', value).map(([field, isoDate]) => {
    if (isWeekend(epochDayFromIso(day(field, isoDate))))
      throw new CalendarFileError(
        field,
        `${String(isoDate)} is a weekend, on which the exchange never trades`,
      );
    return isoDate as string;
  });
}

function earlyClosesOf(value: unknown = {}): Record<string, string> {
  return Object.fromEntries(
    entriesByDay('early_closes', value).map(([field, isoDate, time]) => {
      const usual = usualHours(isoDate).regular;
      if (typeof time !== 'string' || !isClockTime(time) || time <= REGULAR_OPENING || time >= usual)
        throw new CalendarFileError(
          field,
          `must be a time HH:MM in Jakarta after ${REGULAR_OPENING} and before ${usual}, the usual hours`,
        );
      return [isoDate, time];
    }),
  );
}

function listedYearsOf(value: unknown = []): number[] {
  return list('listed_years', value).map(([field, year]) => {
    if (!Number.isInteger(year) || (year as number) < FIRST_YEAR || (year as number) > LAST_YEAR)
      throw new CalendarFileError(field, `must be a year, ${FIRST_YEAR} to ${LAST_YEAR}`);
    return year as number;
  });
}

/** What holds when the changes are the later word. */
function overruled(base: CalendarFacts, changes: CalendarFacts): CalendarFacts {
  const opened = new Set(changes.openings);
  const closures = {
    ...Object.fromEntries(Object.entries(base.closures).filter(([isoDate]) => !opened.has(isoDate))),
    ...changes.closures,
  };
  return {
    closures,
    openings: [...base.openings.filter((isoDate) => !Object.hasOwn(closures, isoDate)), ...opened],
    earlyCloses: { ...base.earlyCloses, ...changes.earlyCloses },
    listedYears: [...new Set([...base.listedYears, ...changes.listedYears])].sort((a, b) => a - b),
  };
}

/** An early close of a closed day is a slip: one of its date. */
function requireOpenEarlyCloses(changes: CalendarFacts, calendar: TradingCalendar): void {
  for (const isoDate of Object.keys(changes.earlyCloses)) {
    const { closedFor } = calendar.day(isoDate);
    if (closedFor !== null)
      throw new CalendarFileError(`early_closes["${isoDate}"]`, `the exchange is closed: ${closedFor}`);
  }
}

/** No year is without a holiday. To list one whose closures are missing would make holidays known trading days. */
function requireClosuresOfListedYears(changes: CalendarFacts, calendar: TradingCalendar): void {
  const closedYears = new Set(
    Object.keys(calendar.facts.closures).map((isoDate) => Number(isoDate.slice(0, 4))),
  );
  const empty = changes.listedYears.findIndex((year) => !closedYears.has(year));
  if (empty >= 0)
    throw new CalendarFileError(
      `listed_years[${empty}]`,
      `a listed year has all its closures in the calendar, and ${changes.listedYears[empty]} has none`,
    );
}

/** The entries of an object whose keys are days, each with the path of its value. */
function entriesByDay(field: string, value: unknown): [field: string, isoDate: string, value: unknown][] {
  return Object.entries(object(field, value)).map(([key, entry]) => {
    const path = `${field}[${JSON.stringify(key)}]`;
    return [path, day(path, key), entry];
  });
}

function day(field: string, value: unknown): string {
  try {
    epochDayFromIso(value as string);
    return value as string;
  } catch {
    throw new CalendarFileError(field, `must be a day of the form YYYY-MM-DD, got ${JSON.stringify(value)}`);
  }
}

function object(field: string, value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new CalendarFileError(field, 'must be a JSON object');
}

/** The entries of a list, each with the path of its value. */
function list(field: string, value: unknown): [field: string, value: unknown][] {
  if (!Array.isArray(value)) throw new CalendarFileError(field, 'must be a JSON list');
  return value.map((entry: unknown, i) => [`${field}[${i}]`, entry]);
}
