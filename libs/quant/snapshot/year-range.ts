import { epochDayFromIso, isoFromEpochDay } from '#foundation/iso-day.ts';
import type { Panel } from '../panel/panel.ts';

const CALENDAR_DAYS = 364;

/** Traded bars of one ticker: panel rows, ascending, and prices in IDR, all adjusted to the same row. */
interface RangeBars {
  rows: Uint32Array;
  high: Float64Array;
  low: Float64Array;
}

/**
 * Highest high and lowest low of the bars within the 52 weeks (364 calendar days) that end on `asOfDay`, in IDR as adjusted
 * in the bars; null when there is no bar in that time. `lastBar` is the newest bar up to `asOfDay`, -1 if there is none.
 */
export function yearRange(
  panel: Panel,
  { rows, high, low }: RangeBars,
  lastBar: number,
  asOfDay: number,
): { high: number | null; low: number | null } {
  const { day } = panel.columns;
  const firstDay = daysBefore(panel, CALENDAR_DAYS)[asOfDay]! + 1;
  let [highest, lowest] = [-Infinity, Infinity];
  for (let bar = lastBar; bar >= 0 && day[rows[bar]!]! >= firstDay; bar--) {
    highest = Math.max(highest, high[bar]!);
    lowest = Math.min(lowest, low[bar]!);
  }
  return highest < lowest ? { high: null, low: null } : { high: highest, low: lowest };
}

/**
 * Calendar index of the day on or before the first of the 364 calendar days that end on a day: an earlier one unless the exchange was
 * open on that very day, because days that are missing then may be among them.
 */
export function yearBegins(panel: Panel, asOfDay: number): number {
  return daysBefore(panel, CALENDAR_DAYS - 1)[asOfDay]!;
}

/** By calendar, since every stock of a panel asks for the same days. */
const known = new WeakMap<readonly string[], Map<number, Int32Array>>();

/** For each day: calendar index of the last day that is so many calendar days earlier, or more; -1 if there is none. */
function daysBefore(panel: Panel, calendarDays: number): Int32Array {
  const { dates } = panel.columns;
  const ofPanel = known.get(dates) ?? new Map<number, Int32Array>();
  known.set(dates, ofPanel);
  const before =
    ofPanel.get(calendarDays) ??
    Int32Array.from(dates, (date) =>
      panel.dayOnOrBefore(isoFromEpochDay(epochDayFromIso(date) - calendarDays)),
    );
  ofPanel.set(calendarDays, before);
  return before;
}
