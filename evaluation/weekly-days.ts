import { epochDayFromIso } from '#foundation/iso-day.ts';

/** The Monday before 1970-01-01, in days since then. */
const FIRST_MONDAY = -3;

/**
 * Calendar indices of the last trading day of each week from `from` to `to` (YYYY-MM-DD, both included).
 * @param dates trading days, ascending
 */
export function weeklyDays(dates: readonly string[], { from, to }: { from: string; to: string }): number[] {
  const weeks = dates.map((date) => Math.floor((epochDayFromIso(date) - FIRST_MONDAY) / 7));
  return [...dates.keys()].filter((day) => {
    const isLastOfItsWeek = weeks[day] !== weeks[day + 1];
    return isLastOfItsWeek && dates[day]! >= from && dates[day]! <= to;
  });
}

/** The year that ends with the last of these days, or as much of it as the data has; undefined without days. */
export function lastYearOf(dates: readonly string[]): { from: string; to: string } | undefined {
  const to = dates.at(-1);
  if (to === undefined) return undefined;
  const yearBefore = `${Number(to.slice(0, 4)) - 1}${to.slice(4)}`;
  return { from: dates.find((date) => date > yearBefore)!, to };
}
