import type { CycleHit, CycleReading } from './cycle-reading.ts';
import { TIME_POINTS } from './cycle-score.ts';
import type { StockCycles } from './market-swings.ts';
import type { TimeCycles } from './time-cycles.ts';

/** Cycles are counted from so many of the last pivots. */
const COUNTED_PIVOTS = 3;

/**
 * The time part of a reading at `bar`. From each of the last three pivots both calendar and exchange days are counted;
 * what is nearest to a cycle counts, of equals the newer pivot, then the calendar. `dates` are the calendar days
 * (since 1970-01-01) of the exchange days.
 *
 * The next turn is counted in calendar days: of the exchange's future days nothing is known.
 */
export function readTime(
  { bars, pivots }: StockCycles,
  bar: number,
  cycles: TimeCycles,
  dates: Int32Array,
  out: CycleReading,
): void {
  const day = bars.day[bar]!;
  let closest = 0;
  out.hit = null;
  out.daysToNextTurn = Infinity;
  let pivot = pivots.newest[bar]!;
  for (let counted = 0; counted < COUNTED_PIVOTS && pivot >= 0; counted++) {
    const pivotDay = bars.day[pivots.bar[pivot]!]!;
    const calendarDays = dates[day]! - dates[pivotDay]!;
    const exchangeDays = day - pivotDay;
    const isHigh = pivots.isHigh[pivot] === 1;
    if (cycles.closeness(calendarDays) > closest) {
      closest = cycles.closeness(calendarDays);
      out.hit = hitOf(cycles.dueAfter(calendarDays), 'calendar', isHigh);
    }
    if (cycles.closeness(exchangeDays) > closest) {
      closest = cycles.closeness(exchangeDays);
      out.hit = hitOf(cycles.dueAfter(exchangeDays), 'exchange', isHigh);
    }
    out.daysToNextTurn = Math.min(out.daysToNextTurn, cycles.daysToNext(calendarDays));
    pivot = pivots.before[pivot]!;
  }
  out.timePoints = TIME_POINTS * closest;
}

function hitOf(days: number, unit: CycleHit['unit'], isHigh: boolean): CycleHit {
  return { days, unit, from: isHigh ? 'high' : 'low' };
}
