/** Clock times `HH:MM` in Jakarta at which the last trades of a day are made. */
export interface TradingHours {
  /** End of the post-closing session of the regular market, which trades at the closing price. */
  regular: string;
  /** End of the negotiated market, never before the regular one. With it the day is whole. */
  negotiated: string;
}

/** When the first session of the regular market begins, on all days since 2013. */
export const REGULAR_OPENING = '09:00';

/**
 * Hours since rule II-A of 2013-01-02, Kep-00031/BEI/03-2020 (the pandemic) and the return to normal hours of 2023-04-03. Fridays
 * have a longer break at noon and end as other days do, and so do the days of Ramadan; no early close of 2015 to 2026 is known. The
 * negotiated market ended at 15:15 at first in 2020 and at 15:30 later. The day of the change is not known, so the later time
 * stands for all of it.
 */
const HOURS: readonly (TradingHours & { from: string })[] = [
  { from: '', regular: '16:15', negotiated: '16:15' },
  { from: '2020-03-30', regular: '15:15', negotiated: '15:30' },
  { from: '2023-04-03', regular: '16:15', negotiated: '16:30' },
];

/** The hours of a trading day (ISO date) without an early close. */
export function usualHours(isoDate: string): TradingHours {
  const { regular, negotiated } = HOURS.findLast(({ from }) => from <= isoDate)!;
  return { regular, negotiated };
}

/** Whether the text is a time of day in the form `HH:MM`, 00:00 to 23:59. */
export function isClockTime(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
}

/** The moment of a clock time `HH:MM` on a day (ISO date) in Jakarta, which has been UTC+7 without daylight saving since 1964. */
export function momentInJakarta(isoDate: string, clockTime: string): Date {
  return new Date(`${isoDate}T${clockTime}:00+07:00`);
}
