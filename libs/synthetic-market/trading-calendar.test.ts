import { describe, expect, test } from 'vitest';
import { tradingCalendar, tradingDaysAfter } from './trading-calendar.ts';
import { IDX_CALENDAR } from '#quant/exchange/calendar/trading-calendar.ts';

describe('the trading days of a generated market', () => {
  test('are those of the exchange up to the last date', () => {
    const dates = tradingCalendar(2_000, '2026-09-30');
    expect(dates).toHaveLength(2_000);
    expect(dates.at(-1)).toBe('2026-09-30');
    expect(dates).toEqual(IDX_CALENDAR.tradingDays(dates[0]!, '2026-09-30'));
  });

  test('end on the trading day before a holiday', () => {
    expect(tradingCalendar(2, '2026-03-24')).toEqual(['2026-03-16', '2026-03-17']);
  });

  test('begin with weekdays where the calendar is not known', () => {
    const dates = tradingCalendar(10_000, '2026-09-30');
    expect(dates).toHaveLength(10_000);
    for (const date of dates) expect(new Date(date).getUTCDay() % 6).not.toBe(0);
  });
});

test('the days after any day are those of the calendar, however many', () => {
  const calendar = tradingCalendar(3_000, '2026-09-30');
  for (let at = 0; at < 1_000; at += 7) {
    for (const count of [1, 2, 30, 250]) {
      expect(tradingDaysAfter(calendar[at]!, count)).toEqual(calendar.slice(at + 1, at + 1 + count));
    }
  }
});

test('a day without trading is followed by the next trading day', () => {
  expect(tradingDaysAfter('2026-10-03', 1)).toEqual(['2026-10-05']);
});
