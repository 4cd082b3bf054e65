/** Western Indonesian Time has been UTC+7 without daylight saving since 1964. */
const JAKARTA_OFFSET_MS = 7 * 3_600_000;

/** `2026-11-20T09:15:00.000+07:00` for a moment in time. */
export function jakartaDateTime(moment: Date): string {
  return new Date(moment.getTime() + JAKARTA_OFFSET_MS).toISOString().replace('Z', '+07:00');
}

/** `2026-11-20 09:15:00`, for people. The surrounding text says that it is Jakarta time. */
export function jakartaSecond(moment: Date): string {
  return jakartaDateTime(moment).slice(0, 'YYYY-MM-DDThh:mm:ss'.length).replace('T', ' ');
}

/** The calendar day in Jakarta at that moment, YYYY-MM-DD. */
export function jakartaDay(moment: Date): string {
  return jakartaDateTime(moment).slice(0, 10);
}

/** The moment at which a calendar day (YYYY-MM-DD) begins in Jakarta. */
export function startOfJakartaDay(day: string): Date {
  return new Date(`${day}T00:00:00+07:00`);
}

/** Whether the text is an existing calendar day in the form YYYY-MM-DD; 2025-02-30 is not. */
export function isCalendarDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const parsed = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text);
}

/** The Monday of the week of a day, both YYYY-MM-DD. */
export function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  const daysSinceMonday = (date.getUTCDay() + 6) % 7;
  date.setUTCDate(date.getUTCDate() - daysSinceMonday);
  return date.toISOString().slice(0, 'YYYY-MM-DD'.length);
}
