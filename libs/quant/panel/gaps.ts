import type { Panel } from './panel.ts';
import { firstAtLeast, type DaySpan } from './ranges.ts';

/** Calendar index of the newest day up to `day` before which trading days are missing; below every index if there is none. */
export function newestGap({ columns: { gaps } }: Panel, day: number): number {
  return gaps?.[firstAtLeast(gaps, day + 1) - 1] ?? -Infinity;
}

/**
 * The one rule of windows: whether days of the window (calendar indices, both included) stand on either side of missing trading days. What
 * is computed from such a window is not known. A window of one day never reaches across.
 */
export function reachesAcross(panel: Panel, { firstDay, lastDay }: DaySpan): boolean {
  return newestGap(panel, lastDay) > firstDay;
}

/** The same for a stock (index), whose window begins when it is listed: nothing is missing before. */
export function stockReachesAcross(panel: Panel, ticker: number, window: DaySpan): boolean {
  const listedOn = panel.columns.day[panel.firstRow(ticker)] ?? 0;
  return reachesAcross(panel, { ...window, firstDay: Math.max(window.firstDay, listedOn - 1) });
}

/** The gaps within columns that start with the first day of a span, as their indices there; undefined if none are. */
export function gapsWithin(
  gaps: readonly number[] | undefined,
  { firstDay, lastDay }: DaySpan,
): number[] | undefined {
  const within = gaps?.filter((gap) => gap > firstDay && gap <= lastDay).map((gap) => gap - firstDay);
  return within?.length ? within : undefined;
}
