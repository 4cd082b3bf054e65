/** Years of past days that are judged at once: what a request computes within a second. */
export const MOST_YEARS = 5;
/** The span where no first day is named. */
export const USUAL_YEARS = 1;
/** Trading days after which a position is sold where none are named. */
export const USUAL_HOLDING_DAYS = 20;

/** The same day of an earlier year; the 28th of February for the 29th. Days are YYYY-MM-DD. */
export function yearsBefore(day: string, years: number): string {
  const earlier = `${Number(day.slice(0, 4)) - years}${day.slice(4)}`;
  return earlier.endsWith('-02-29') ? `${earlier.slice(0, 8)}28` : earlier;
}
