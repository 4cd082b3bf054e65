import { epochDayFromIso, isoFromEpochDay } from '#quant/panel/iso-day.ts';

/** National holidays with a fixed date, and the last day of the year, on which the exchange never opens. */
const FIXED_CLOSURES = new Set(['01-01', '05-01', '06-01', '08-17', '12-25', '12-31']);

/** 1 Syawal 1447 H; the feast returns every twelve lunar months. */
const LEBARAN_EPOCH_DAY = epochDayFromIso('2026-03-20');
const LUNAR_YEAR_DAYS = 354.367;

/**
 * The last `count` trading days of the invented market up to `lastDate` (ISO), ascending: weekdays without
 * the fixed holidays and the week of Lebaran. Close to the real calendar, but not it.
 */
export function tradingCalendar(count: number, lastDate: string): string[] {
  const dates: string[] = [];
  for (let epochDay = epochDayFromIso(lastDate); dates.length < count; epochDay--) {
    const isoDate = isoFromEpochDay(epochDay);
    if (isOpen(epochDay, isoDate)) dates.push(isoDate);
  }
  return dates.reverse();
}

function isOpen(epochDay: number, isoDate: string): boolean {
  const monday = mondayOf(epochDay);
  if (epochDay - monday > 4 || FIXED_CLOSURES.has(isoDate.slice(5))) return false;
  const feast = Math.round((monday - LEBARAN_EPOCH_DAY) / LUNAR_YEAR_DAYS);
  return mondayOf(LEBARAN_EPOCH_DAY + Math.round(feast * LUNAR_YEAR_DAYS)) !== monday;
}

/** 1970-01-01 was a Thursday. */
function mondayOf(epochDay: number): number {
  return epochDay - ((epochDay + 3) % 7);
}
