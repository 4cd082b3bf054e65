import { mondayOf } from '#foundation/jakarta-time.ts';

export type Step = 'day' | 'week' | 'month';

/** At the end of which days a simulation gives orders: of every day, or of the last one of each week. */
export function stepOf(rebalance: string): Step {
  return rebalance === 'daily' ? 'day' : 'week';
}

/** Of ascending days (YYYY-MM-DD): each of them, or the last one of each calendar week or month. */
export function lastOfEach(days: readonly string[], step: Step): string[] {
  const nameOf = { day: (day: string) => day, week: mondayOf, month: (day: string) => day.slice(0, 7) }[step];
  return days.filter((day, i) => i + 1 === days.length || nameOf(day) !== nameOf(days[i + 1]!));
}
