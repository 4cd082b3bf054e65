export type StreakSide = 'ACCUMULATION' | 'DISTRIBUTION' | 'NONE';

/** The latest days on which somebody stood on one side. */
export interface Streak {
  side: StreakSide;
  /** The day it began, -1 for NONE. */
  startDay: number;
  /** Days on that side. */
  days: number;
  /** IDR over those days. */
  netValue: number;
}

/**
 * The streak with which `days`, ascending and each with a trade, end: back to the day before which the other side
 * prevailed. A day on which as much was bought as sold neither breaks a streak nor counts, begins or ends one. Days
 * without a trade are not among `days` and break nothing either.
 */
export function currentStreak(days: readonly { day: number; netValue: number }[]): Streak {
  const streak: Streak = { side: 'NONE', startDay: -1, days: 0, netValue: 0 };
  for (const { day, netValue } of days.toReversed()) {
    if (netValue === 0) continue;
    const side = netValue > 0 ? 'ACCUMULATION' : 'DISTRIBUTION';
    if (streak.side === 'NONE') streak.side = side;
    else if (streak.side !== side) break;
    streak.startDay = day;
    streak.days += 1;
    streak.netValue += netValue;
  }
  return streak;
}
