/** What sources must know of the exchange's calendar. Days are YYYY-MM-DD. */
export interface FeedCalendar {
  /** The newest trading day that is due at a moment, if days are due at this time of day, `HH:MM` in Jakarta. */
  newestDueDay(moment: Date, dueAt: string): string;
  /** The trading days from one day to another, both included, ascending. */
  tradingDays(from: string, to: string): string[];
}
