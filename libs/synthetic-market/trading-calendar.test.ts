import { describe, expect, test } from 'vitest';
import { tradingCalendar } from './generate-market.ts';

describe('tradingCalendar', () => {
  const dates = tradingCalendar(2_000, '2026-09-30');

  test('ends on the last date and ascends', () => {
    expect(dates).toHaveLength(2_000);
    expect(dates.at(-1)).toBe('2026-09-30');
    expect(dates).toEqual([...new Set(dates)].sort());
  });

  test('contains no weekends and no fixed holidays', () => {
    for (const date of dates) {
      expect(new Date(date).getUTCDay() % 6).not.toBe(0);
      expect(['01-01', '05-01', '06-01', '08-17', '12-25', '12-31']).not.toContain(date.slice(5));
    }
  });

  test('closes for one whole week every lunar year, 50 or 51 weeks apart', () => {
    const weeks = new Map<number, number>();
    for (const date of dates) {
      const week = Math.floor((Date.parse(date) / 86_400_000 + 3) / 7);
      weeks.set(week, (weeks.get(week) ?? 0) + 1);
    }
    const numbers = [...weeks.keys()];
    const closed = [];
    for (let week = Math.min(...numbers); week < Math.max(...numbers); week++)
      if (!weeks.has(week)) closed.push(week);
    expect(closed.length).toBeGreaterThanOrEqual(7);
    for (let i = 1; i < closed.length; i++) expect([50, 51]).toContain(closed[i]! - closed[i - 1]!);
    expect(dates).not.toContain('2026-03-20');
    expect(dates).not.toContain('2025-04-01');
  });

  test('has about as many days a year as the exchange', () => {
    const year = dates.filter((date) => date.startsWith('2025')).length;
    expect(year).toBeGreaterThanOrEqual(236);
    expect(year).toBeLessThanOrEqual(256);
  });
});
