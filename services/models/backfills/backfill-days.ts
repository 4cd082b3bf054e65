import { invalidRequest } from '#foundation/errors/invalid-request.ts';
import { lastOfEach, type Step } from '#shared/market/last-of-each.ts';
import { daysUnknown, type TradingDays } from '../analysis-day/trading-days.ts';

/** Ten years of weekly runs, two years of daily runs. */
export const MAX_DAYS = 520;

interface RequestedDays {
  /** YYYY-MM-DD, both included. */
  from: string;
  to: string;
  step: Step;
}

/**
 * The trading days for which a backfill runs a model: every trading day of the requested span, or the last one of each
 * calendar week or month in it.
 * @throws ServiceError invalid_request when there are none or too many, data_unavailable while no trading days are
 *   known
 */
export function backfillDays(
  { from, to, step }: RequestedDays,
  tradingDays: Pick<TradingDays, 'between' | 'span'>,
  pin: string,
): string[] {
  const days = lastOfEach(knownDays({ from, to }, tradingDays, pin), step);
  if (days.length > MAX_DAYS) {
    const msg = `must end a span of at most ${MAX_DAYS} days to run; every ${step} from ${from} gives ${days.length}`;
    const ctx = { max_length: MAX_DAYS, actual_length: days.length };
    throw invalidRequest([{ loc: ['body', 'to'], msg, type: 'too_long', input: to, ctx }]);
  }
  return days;
}

/**
 * The trading days of a span that runs may look at.
 * @throws ServiceError invalid_request when there are none, data_unavailable while no trading days are known
 */
export function knownDays(
  { from, to }: Pick<RequestedDays, 'from' | 'to'>,
  tradingDays: Pick<TradingDays, 'between' | 'span'>,
  pin: string,
): string[] {
  const { first, last } = knownSpan(tradingDays, pin);
  const days = tradingDays.between(from, to < last ? to : last);
  if (days.length > 0) return days;
  const msg = `must begin a span with a trading day of the dataset, which has those from ${first} to ${last}`;
  throw invalidRequest([{ loc: ['from'], msg, type: 'value_error', input: from, ctx: { first, last } }]);
}

/** @throws ServiceError data_unavailable while no trading days are known */
export function knownSpan({ span }: Pick<TradingDays, 'span'>, pin: string): { first: string; last: string } {
  if (!span) throw daysUnknown();
  return { first: span.first, last: pin !== '' && pin < span.last ? pin : span.last };
}
