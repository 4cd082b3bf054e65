import { epochDayFromIso, isoFromEpochDay } from '../panel/iso-day.ts';
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
  const firstDay = yearStartsOf(panel)[asOfDay]!;
  let [highest, lowest] = [-Infinity, Infinity];
  for (let bar = lastBar; bar >= 0 && day[rows[bar]!]! >= firstDay; bar--) {
    highest = Math.max(highest, high[bar]!);
    lowest = Math.min(lowest, low[bar]!);
  }
  return highest < lowest ? { high: null, low: null } : { high: highest, low: lowest };
}

/** By calendar, since every stock of a panel asks for the same days. */
const yearStarts = new WeakMap<readonly string[], Int32Array>();

/** For each day: calendar index of the first day of the 52 weeks that end on it. */
function yearStartsOf(panel: Panel): Int32Array {
  const { dates } = panel.columns;
  const starts =
    yearStarts.get(dates) ??
    Int32Array.from(
      dates,
      (date) => panel.dayOnOrBefore(isoFromEpochDay(epochDayFromIso(date) - CALENDAR_DAYS)) + 1,
    );
  yearStarts.set(dates, starts);
  return starts;
}
