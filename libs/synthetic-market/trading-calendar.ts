import { epochDayFromIso, isoFromEpochDay } from '#foundation/iso-day.ts';
import { IDX_CALENDAR } from '#quant/exchange/calendar/trading-calendar.ts';

/**
 * The last `count` trading days up to `lastDate` (ISO), ascending: those of the exchange. Weekdays of years that its calendar
 * does not list are assumed to be trading days.
 */
export function tradingCalendar(count: number, lastDate: string): string[] {
  return IDX_CALENDAR.lastTradingDays(count, lastDate);
}

/** More calendar days than contain a trading day, whatever the exchange closes for. */
const LONGEST_CLOSURE_DAYS = 16;
/** At least two of five calendar days are trading days, over any span longer than a closure. */
const CALENDAR_DAYS_A_TRADING_DAY = 2.5;

/** The `count` trading days that follow a day (ISO), ascending. */
export function tradingDaysAfter(lastDate: string, count: number): string[] {
  const enoughDays = LONGEST_CLOSURE_DAYS + Math.ceil(count * CALENDAR_DAYS_A_TRADING_DAY);
  const endDate = isoFromEpochDay(epochDayFromIso(lastDate) + enoughDays);
  return tradingCalendar(enoughDays, endDate)
    .filter((date) => date > lastDate)
    .slice(0, count);
}
