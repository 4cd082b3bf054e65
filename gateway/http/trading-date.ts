import { invalidRequest } from '#shared/invalid-request.ts';
import { isCalendarDay } from '#shared/jakarta-time.ts';

/** The `date` of a query, passed on to the service, which knows the trading days. */
export function tradingDate(text: string): string {
  if (text === 'today' || isCalendarDay(text)) return text;
  const msg = 'must be a date as YYYY-MM-DD, or today';
  throw invalidRequest([{ loc: ['query', 'date'], msg, type: 'date', input: text }]);
}
