import type { Panel } from '#quant/panel/panel.ts';
import { invalidRequest } from '#shared/invalid-request.ts';
import { isCalendarDay } from '#shared/jakarta-time.ts';
import { ServiceError } from '#shared/service-error.ts';

/**
 * Calendar index of the latest trading day on or before `today`, the day in Jakarta.
 * @throws ServiceError not_found when the dataset begins later
 */
export function latestDay(panel: Panel, today: string): number {
  const day = panel.dayOnOrBefore(today);
  if (day < 0) throw new ServiceError('not_found', `The dataset has no trading day up to ${today}.`);
  return day;
}

/**
 * Calendar index of a trading day given as YYYY-MM-DD, or as `today` for the latest one.
 * @throws ServiceError invalid_request for anything else, not_found for a day without data
 */
export function tradingDay(panel: Panel, date: string, today: string): number {
  if (date === 'today') return latestDay(panel, today);
  if (!isCalendarDay(date)) {
    const msg = 'must be a date as YYYY-MM-DD, or today';
    throw invalidRequest([{ loc: ['date'], msg, type: 'date', input: date }]);
  }
  const day = panel.dayOnOrBefore(date);
  if (day >= 0 && panel.columns.dates[day] === date) return day;
  throw new ServiceError('not_found', `There is no data for ${date}: not a trading day of the dataset.`);
}
