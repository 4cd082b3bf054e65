import type { Clock } from '#shared/clock.ts';
import { jakartaDay } from '#shared/jakarta-time.ts';

/** Which day a run analyses. */
export interface AnalysisDates {
  clock: Clock;
  /** YYYY-MM-DD that no run may look beyond; empty when the day is not pinned. */
  pin: string;
}

/**
 * The analysis date a run uses: what was asked for (`today` is the day it is in Jakarta), but no later than today
 * and no later than the pin. A date of the future means today, so that the run's parameters say what it knew.
 */
export function effectiveAnalysisDate(requested: string, { clock, pin }: AnalysisDates): string {
  const today = jakartaDay(clock());
  const dates = [today, requested === 'today' ? today : requested, ...(pin === '' ? [] : [pin])];
  return dates.reduce((earliest, date) => (date < earliest ? date : earliest));
}
