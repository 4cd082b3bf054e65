import type { Clock } from '#foundation/clock.ts';
import type { TradingDays } from './trading-days.ts';
import { jakartaDay } from '#foundation/jakarta-time.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

/** Inputs that decide which day a run analyses. */
export interface AnalysisDates {
  clock: Clock;
  /** YYYY-MM-DD. No run may look beyond this day. Empty when the day is not pinned. */
  pin: string;
  tradingDays: Pick<TradingDays, 'onOrBefore' | 'newestTrained' | 'areKnownWithin'>;
}

/** The same for spans of days. */
export type SpanDates = AnalysisDates & { tradingDays: Pick<TradingDays, 'between' | 'span'> };

interface DayToAnalyse {
  /** The effective analysis date, YYYY-MM-DD. */
  date: string;
  /** The trading day of that date in the known dataset; undefined before its first one. */
  tradingDay: string | undefined;
  /** The trading day that the run waits for, if workers may not use it yet. */
  awaited: string | undefined;
}

/** @param awaited a trading day that the submitter knows to be in the dataset, even if it is not known here yet */
export function dayToAnalyse(
  requested: string,
  awaited: string | undefined,
  dates: AnalysisDates,
): DayToAnalyse {
  const date = effectiveAnalysisDate(requested, dates);
  const trained = dates.tradingDays.newestTrained(date);
  const known = requested === 'today' ? trained : dates.tradingDays.onOrBefore(date);
  if (awaited !== undefined && awaited <= date && awaited > (known ?? ''))
    return { date, tradingDay: awaited, awaited };
  return { date, tradingDay: known, awaited: awaited ?? (known === trained ? undefined : known) };
}

/** The last weekday on or before a date, for a run of a day before the dataset: the exchange is closed at weekends. */
export function lastWeekday(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  const past = [2, 0, 0, 0, 0, 0, 1][day.getUTCDay()]!;
  return new Date(day.getTime() - past * DAY_MS).toISOString().slice(0, 10);
}

/**
 * The effective analysis date: the requested date (`today` is the current day in Jakarta), but no later than today and
 * no later than the pin. A future date becomes today, so that the run's parameters state which data it could know.
 */
export function effectiveAnalysisDate(
  requested: string,
  { clock, pin }: Pick<AnalysisDates, 'clock' | 'pin'>,
): string {
  const today = jakartaDay(clock());
  const dates = [today, requested === 'today' ? today : requested, ...(pin === '' ? [] : [pin])];
  return dates.reduce((earliest, date) => (date < earliest ? date : earliest));
}
