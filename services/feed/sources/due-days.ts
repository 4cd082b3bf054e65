import { newestDueDay } from '#quant/exchange/calendar/due-days.ts';
import type { TradingCalendar } from '#quant/exchange/calendar/trading-calendar.ts';
import type { DueRequest } from './source.ts';

/** Days that are asked for at a time. */
export const MAX_DUE = 20;
/** Older gaps are for an operator to catch up. */
const GAP_TRADING_DAYS = 60;

interface DueDays extends DueRequest {
  calendar: TradingCalendar;
  dueAt: string;
  recheckDays: number;
  /** Whether the source brings broker rows rather than bars. */
  isBrokerRows: boolean;
}

/**
 * The trading days that a source should be asked for: those that the served market lacks, oldest first, then the newest ones that
 * it has, in which corrections appear.
 */
export function dueDays(request: DueDays): string[] {
  const { market, now, isDone, calendar, dueAt, recheckDays, isBrokerRows } = request;
  const newestDue = newestDueDay(calendar, now, dueAt);
  const missing = isBrokerRows ? missingBrokerDays(request, newestDue) : missingDays(request, newestDue);
  const isServed = (day: string) => day <= newestDue && (!isBrokerRows || day <= market.brokerLastDay);
  const rechecked = recheckDays === 0 ? [] : market.days.filter(isServed).slice(-recheckDays);
  const open = missing.filter((day) => !isDone(day));
  const again = rechecked.filter((day) => !isDone(day) && !missing.includes(day));
  return [...open, ...again].slice(0, MAX_DUE);
}

/** Trading days after the newest served one, and gaps before it. */
function missingDays({ market, calendar }: DueDays, newestDue: string): string[] {
  const [first, last] = [market.days[0], market.days.at(-1)];
  if (first === undefined || last === undefined) return [newestDue];
  const served = new Set(market.days);
  const recent = calendar.lastTradingDays(GAP_TRADING_DAYS, newestDue);
  const gaps = recent.filter((day) => day > first && day < last && !served.has(day));
  return [...gaps, ...calendar.missingDays(last, newestDue)];
}

/** Broker rows need bars of their day, so their days end with those of the bars. Without any, there is one day to begin with. */
function missingBrokerDays({ market }: DueDays, newestDue: string): string[] {
  const due = market.days.filter((day) => day <= newestDue);
  return market.brokerLastDay === '' ? due.slice(-1) : due.filter((day) => day > market.brokerLastDay);
}
