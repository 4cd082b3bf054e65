import type { Clock } from '#shared/clock.ts';
import type { TradingDays } from './trading-days.ts';
import { jakartaDay } from '#shared/jakarta-time.ts';

const DAY_MS = 86_400_000;

/** Which day a run analyses. */
export interface AnalysisDates {
  clock: Clock;
  /** YYYY-MM-DD that no run may look beyond; empty when the day is not pinned. */
  pin: string;
  tradingDays: Pick<TradingDays, 'onOrBefore'>;
}

/** What a run is to analyse. */
interface DayToAnalyse {
  /** The analysis date that takes effect, YYYY-MM-DD. */
  date: string;
  /** The trading day that this is, as far as the dataset is known; undefined before its first one. */
  tradingDay: string | undefined;
}

/** @param tradingDay that the submitter knows to be in the dataset, which may not be known here yet */
export function dayToAnalyse(requested: string, tradingDay: string, dates: AnalysisDates): DayToAnalyse {
  const date = effectiveAnalysisDate(requested, dates);
  const known = dates.tradingDays.onOrBefore(date);
  const isNewer = tradingDay <= date && tradingDay > (known ?? '');
  return { date, tradingDay: isNewer ? tradingDay : known };
}

/**
 * The day of a run of which no trading day is known: the exchange is closed on Saturdays and Sundays, so it is the Friday
 * before.
 */
export function lastWeekday(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  const past = [2, 0, 0, 0, 0, 0, 1][day.getUTCDay()]!;
  return new Date(day.getTime() - past * DAY_MS).toISOString().slice(0, 10);
}

/**
 * The analysis date a run uses: what was asked for (`today` is the day it is in Jakarta), but no later than today
 * and no later than the pin. A date of the future means today, so that the run's parameters say what it knew.
 */
export function effectiveAnalysisDate(
  requested: string,
  { clock, pin }: Pick<AnalysisDates, 'clock' | 'pin'>,
): string {
  const today = jakartaDay(clock());
  const dates = [today, requested === 'today' ? today : requested, ...(pin === '' ? [] : [pin])];
  return dates.reduce((earliest, date) => (date < earliest ? date : earliest));
}
