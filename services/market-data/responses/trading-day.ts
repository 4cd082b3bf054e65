import { epochDayFromIso, isoFromEpochDay } from '#foundation/iso-day.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';

/**
 * Calendar index of the latest whole trading day on or before a day.
 * @throws ServiceError not_found when the dataset begins later
 */
function latestDay(panel: Panel, date: string): number {
  const day = Math.min(panel.dayOnOrBefore(date), panel.lastWholeDay);
  if (day < 0) throw new ServiceError('not_found', `The dataset has no trading day up to ${date}.`);
  return day;
}

/**
 * Calendar index of the latest whole trading day on or before a day; of the last whole day if none is given.
 * @throws ServiceError not_found when the dataset begins later
 */
export function asOfDay(panel: Panel, date: string | undefined): number {
  return date === undefined ? panel.lastWholeDay : latestDay(panel, date);
}

/**
 * Calendar index of a trading day given as YYYY-MM-DD, or as `today` for the latest whole one.
 * @throws ServiceError not_found for a day without data
 */
export function tradingDay(panel: Panel, date: string, today: string): number {
  if (date === 'today') return latestDay(panel, today);
  const day = panel.dayOnOrBefore(date);
  if (day >= 0 && panel.columns.dates[day] === date) return day;
  throw new ServiceError('not_found', `There is no data for ${date}: not a trading day of the dataset.`);
}

/** The last whole day or, for a stock (index) whose rows all come after it, the newest one. */
export function judgedDay(panel: Panel, ticker: number): number {
  return panel.lastRow(ticker, panel.lastWholeDay) < 0 ? panel.dayCount - 1 : panel.lastWholeDay;
}

/** A span of days that ends on the latest whole trading day. */
export interface DayWindow {
  /** Calendar indices, both included. */
  firstDay: number;
  lastDay: number;
  /** YYYY-MM-DD. */
  date_from: string;
  date_to: string;
}

/**
 * The last `days` trading days of the exchange up to the latest one on or before `today`; fewer if the dataset begins
 * within them.
 * @throws ServiceError not_found when the dataset begins later
 */
export function tradingDayWindow(panel: Panel, days: number, today: string): DayWindow {
  const lastDay = latestDay(panel, today);
  const firstDay = Math.max(0, lastDay + 1 - days);
  const { dates } = panel.columns;
  return { firstDay, lastDay, date_from: dates[firstDay]!, date_to: dates[lastDay]! };
}

/**
 * The same counted in calendar days: `date_from` need not be a trading day.
 * @throws ServiceError not_found when the dataset begins later
 */
export function calendarDayWindow(panel: Panel, days: number, today: string): DayWindow {
  const lastDay = latestDay(panel, today);
  const date_to = panel.columns.dates[lastDay]!;
  const epochDayFrom = epochDayFromIso(date_to) + 1 - days;
  const firstDay = panel.dayOnOrBefore(isoFromEpochDay(epochDayFrom - 1)) + 1;
  return { firstDay, lastDay, date_from: isoFromEpochDay(epochDayFrom), date_to };
}

/** When a stock (index) last traded in the regular market up to a day, and whether that is the dataset's last whole day or later. */
export function lastTrade(panel: Panel, ticker: number, lastDay = panel.dayCount - 1) {
  const { dates, day } = panel.columns;
  const row = panel.lastTradedRow(ticker, lastDay);
  return {
    last_traded_date: row < 0 ? undefined : dates[day[row]!],
    traded_today: row >= 0 && day[row]! >= panel.lastWholeDay,
  };
}
