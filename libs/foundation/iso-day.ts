/** Milliseconds of a day. Jakarta has no daylight saving, so that every day has as many. */
export const DAY_MS = 86_400_000;
const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Converts days since 1970-01-01 to `YYYY-MM-DD`. */
export function isoFromEpochDay(epochDay: number): string {
  return new Date(epochDay * DAY_MS).toISOString().slice(0, 10);
}

/**
 * Days since 1970-01-01 of a `YYYY-MM-DD`.
 * @throws RangeError for anything that is not a calendar date
 */
export function epochDayFromIso(isoDate: string): number {
  const ms = ISO_DATE.test(isoDate) ? Date.parse(isoDate) : NaN;
  // A day that its month does not have is parsed as one of the next month.
  if (Number.isNaN(ms) || new Date(ms).getUTCDate() !== Number(isoDate.slice(8))) {
    throw new RangeError(`not a date of the form YYYY-MM-DD: ${isoDate}`);
  }
  return ms / DAY_MS;
}
