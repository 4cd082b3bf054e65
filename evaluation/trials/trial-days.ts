import { MAX_SALE_WAIT_DAYS } from '#quant/labels/triple-barrier.ts';
import { leastDays } from '#models/learnt/history.ts';
import { weeklyDays } from '../weekly-days.ts';

/**
 * Calendar indices of the last day of every second week of a span, with enough earlier data to learn from, on which every
 * position bought must have been sold before the data ends.
 * @param dates trading days of the data, ascending
 */
export function trialDays(
  dates: readonly string[],
  span: { from: string; to: string },
  horizonDays: number,
): number[] {
  const lastDay = dates.length - 1 - horizonDays - MAX_SALE_WAIT_DAYS;
  return weeklyDays(dates, span).filter(
    (day, week) => week % 2 === 0 && day <= lastDay && day + 1 >= leastDays(horizonDays),
  );
}
