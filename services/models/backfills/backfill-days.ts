import { invalidRequest } from '#shared/invalid-request.ts';
import type { TradingDays } from '../analysis-day/trading-days.ts';
import { unavailable } from '../unavailable.ts';

export type Step = 'day' | 'week' | 'month';

/** Ten years of weeks, two years of days. */
export const MAX_DAYS = 520;

export interface AskedDays {
  /** YYYY-MM-DD, both included. */
  from: string;
  to: string;
  step: Step;
}

/**
 * The trading days that a backfill runs a model as of: every one from the first to the last day asked for, or the last of
 * each calendar week or month among them.
 * @throws ServiceError invalid_request when there are none or too many, and model_unavailable while no days are known
 */
export function backfillDays(
  { from, to, step }: AskedDays,
  tradingDays: Pick<TradingDays, 'between' | 'span'>,
  pin: string,
): string[] {
  const { span } = tradingDays;
  if (!span) throw unavailable();
  const last = pin !== '' && pin < span.last ? pin : span.last;
  const all = tradingDays.between(from, to < last ? to : last);
  const days = lastOfEach(all, step);
  if (days.length === 0) {
    const msg = `must begin a span with a trading day of the dataset, which has those from ${span.first} to ${last}`;
    throw invalidRequest([
      { loc: ['body', 'from'], msg, type: 'value_error', input: from, ctx: { first: span.first, last } },
    ]);
  }
  if (days.length > MAX_DAYS) {
    const msg = `must end a span of at most ${MAX_DAYS} days to run; every ${step} from ${from} gives ${days.length}`;
    const ctx = { max_length: MAX_DAYS, actual_length: days.length };
    throw invalidRequest([{ loc: ['body', 'to'], msg, type: 'too_long', input: to, ctx }]);
  }
  return days;
}

function lastOfEach(days: readonly string[], step: Step): string[] {
  const nameOf = { day: (day: string) => day, week: mondayOf, month: (day: string) => day.slice(0, 7) }[step];
  return days.filter((day, i) => i + 1 === days.length || nameOf(day) !== nameOf(days[i + 1]!));
}

/** Of the calendar week of a day. */
function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  const sinceMonday = (date.getUTCDay() + 6) % 7;
  date.setUTCDate(date.getUTCDate() - sinceMonday);
  return date.toISOString().slice(0, 10);
}
