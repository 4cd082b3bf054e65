import type { BarInterval } from '#proto/saring/wire/v1/words.ts';
import { mondayOf } from '#foundation/jakarta-time.ts';
import { epochDayFromIso, isoFromEpochDay } from '#foundation/iso-day.ts';

/** A day, ISO week or calendar month. Both are YYYY-MM-DD. */
export interface Period {
  /** Its first day, whether or not the exchange was open. */
  date: string;
  /** The first day after it. */
  next: string;
}

export function periodOf(interval: BarInterval, day: string): Period {
  if (interval === 'month') return { date: `${day.slice(0, 8)}01`, next: firstOfNextMonth(day) };
  if (interval === 'day') return { date: day, next: daysAfter(day, 1) };
  const date = mondayOf(day);
  return { date, next: daysAfter(date, 7) };
}

function daysAfter(day: string, days: number): string {
  return isoFromEpochDay(epochDayFromIso(day) + days);
}

function firstOfNextMonth(day: string): string {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
  return new Date(Date.UTC(year, month)).toISOString().slice(0, 10);
}
