import { epochDayFromIso } from '#quant/panel/iso-day.ts';

/** Months since 1970-01 of a month `YYYY-MM`. */
export function monthNumber(month: string): number {
  return (Number(month.slice(0, 4)) - 1970) * 12 + Number(month.slice(5, 7)) - 1;
}

/** Days since 1970-01-01 of the first day of a month. */
export function firstEpochDay(month: number): number {
  const [year, inYear] = [1970 + Math.floor(month / 12), (month % 12) + 1];
  return epochDayFromIso(`${year}-${String(inYear).padStart(2, '0')}-01`);
}
