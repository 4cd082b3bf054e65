import { expect, test } from 'vitest';
import { tradingDaysAfter } from './days-after.ts';
import { tradingCalendar } from './generate-market.ts';

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
