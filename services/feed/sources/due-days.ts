import { newestDueDay } from '#quant/exchange/calendar/due-days.ts';
import type { TradingCalendar } from '#quant/exchange/calendar/trading-calendar.ts';
import { isPartial } from '../market/served-market.ts';
import type { DueRequest } from './source.ts';

/** Days that are asked for at a time. */
export const MAX_DUE = 20;
/** Older gaps are for an operator to catch up. */
const GAP_TRADING_DAYS = 60;

interface DueDays extends DueRequest {
  calendar: TradingCalendar;
  dueAt: string;
  recheckDays: number;
  isBrokerRows: boolean;
}

/**
 * The trading days that a source should be asked for: those that it has to bring, oldest first, then the newest ones that
 * are served, in which corrections appear. What another source has brought does not count for it. The newest day is due again until it
 * is whole.
 */
export function dueDays(request: DueDays): string[] {
  const { market, now, isDone, calendar, dueAt, recheckDays, isBrokerRows } = request;
  const newestDue = newestDueDay(calendar, now, dueAt);
  const missing = isBrokerRows ? missingBrokerDays(request, newestDue) : missingDays(request, newestDue);
  const isServed = (day: string) => day <= newestDue && (!isBrokerRows || day <= market.brokerLastDay);
  const rechecked = recheckDays === 0 ? [] : market.days.filter(isServed).slice(-recheckDays);
  const isOpen = (day: string) =>
    !isDone(day) || (!isBrokerRows && day === newestDue && isPartial(market, day));
  const again = rechecked.filter((day) => !isDone(day) && !missing.includes(day));
  return [...missing.filter(isOpen), ...again].slice(0, MAX_DUE);
}

/** Trading days after the newest served one, gaps before it, and served ones that this source has not brought or that are partial. */
function missingDays(request: DueDays, newestDue: string): string[] {
  const { market, calendar } = request;
  const [first, last] = [market.days[0], market.days.at(-1)];
  if (first === undefined || last === undefined) return [newestDue];
  const served = new Set(market.days);
  const recent = calendar.lastTradingDays(GAP_TRADING_DAYS, newestDue);
  const isMissing = (day: string) => !served.has(day) || day > market.wholeUntil || isOwed(request, day);
  const before = recent.filter((day) => day > first && day <= last && isMissing(day));
  return [...before, ...calendar.missingDays(last, newestDue)];
}

/** Whether a source has not come to a day yet, or failed to bring it on an earlier day. */
function isOwed({ lastDay, hasFailed, wasAsked }: DueDays, day: string): boolean {
  return (lastDay !== undefined && day > lastDay) || (hasFailed(day) && !wasAsked(day));
}

/** Broker rows need bars of their day, so their days end with the last whole one. Without any, there is one day to begin with. */
function missingBrokerDays(request: DueDays, newestDue: string): string[] {
  const { market } = request;
  const due = market.days.filter((day) => day <= newestDue && day <= market.wholeUntil);
  if (market.brokerLastDay === '') return due.slice(-1);
  const recent = due.at(-GAP_TRADING_DAYS) ?? '';
  return due.filter((day) => day > market.brokerLastDay || (day >= recent && isOwed(request, day)));
}
