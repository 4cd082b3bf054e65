import type { Calendar } from '#proto/saring/wire/v1/words.ts';

/**
 * Whether a schedule is due, once the newest trading day of the dataset has become `newest` after it was `before` (days
 * as YYYY-MM-DD). It is when the newest day lies in a later day, week or month: every earlier trading day of that period
 * would itself have been the newest at some time, so this is the first one, or came together with it. Of days that
 * come at once nothing but the newest is asked about: an investor wants one list of today, not five old ones.
 */
export function isDue(calendar: Calendar, before: string, newest: string): boolean {
  return periodOf(calendar, newest) > periodOf(calendar, before);
}

/** What a schedule runs once in: the day, the Monday of its ISO week, or the month. Later periods are greater. */
function periodOf(calendar: Calendar, day: string): string {
  if (calendar === 'daily') return day;
  return calendar === 'weekly' ? mondayOf(day) : day.slice(0, 'YYYY-MM'.length);
}

function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  const daysSinceMonday = (date.getUTCDay() + 6) % 7;
  date.setUTCDate(date.getUTCDate() - daysSinceMonday);
  return date.toISOString().slice(0, day.length);
}
