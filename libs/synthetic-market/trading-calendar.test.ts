import { describe, expect, test } from 'vitest';
import { tradingCalendar } from './generate-market.ts';
import { IDX_CALENDAR } from '#quant/exchange/calendar/trading-calendar.ts';

describe('tradingCalendar', () => {
  test('has the trading days of the exchange up to the last date', () => {
    const dates = tradingCalendar(2_000, '2026-09-30');
    expect(dates).toHaveLength(2_000);
    expect(dates.at(-1)).toBe('2026-09-30');
    expect(dates).toEqual(IDX_CALENDAR.tradingDays(dates[0]!, '2026-09-30'));
  });

  test('ends on the trading day before a holiday', () => {
    expect(tradingCalendar(2, '2026-03-24')).toEqual(['2026-03-16', '2026-03-17']);
  });

  test('of a market longer than the calendar is known begins with weekdays', () => {
    const dates = tradingCalendar(10_000, '2026-09-30');
    expect(dates).toHaveLength(10_000);
    for (const date of dates) expect(new Date(date).getUTCDay() % 6).not.toBe(0);
  });
});
