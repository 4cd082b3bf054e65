import fc from 'fast-check';
import { expect, test } from 'vitest';
import { epochDayFromIso, isoFromEpochDay } from '#foundation/iso-day.ts';
import { periodOf } from './stock-bars.ts';

test.each([
  ['day', '2024-02-29', '2024-02-29', '2024-03-01'],
  ['week', '2024-02-29', '2024-02-26', '2024-03-04'],
  ['week', '2024-02-26', '2024-02-26', '2024-03-04'],
  ['week', '2024-03-03', '2024-02-26', '2024-03-04'],
  ['week', '2025-01-01', '2024-12-30', '2025-01-06'],
  ['month', '2024-02-29', '2024-02-01', '2024-03-01'],
  ['month', '2024-12-31', '2024-12-01', '2025-01-01'],
] as const)('the %s of %s is from %s to before %s', (interval, day, date, next) => {
  expect(periodOf(interval, day)).toEqual({ date, next });
});

test('every day is in exactly one ISO week, from Monday, and one calendar month', () => {
  fc.assert(
    fc.property(fc.integer({ min: -2_600, max: 30_000 }), (epochDay) => {
      const day = isoFromEpochDay(epochDay);
      for (const interval of ['week', 'month'] as const) {
        const { date, next } = periodOf(interval, day);
        expect(date <= day && day < next).toBe(true);
        expect(periodOf(interval, isoFromEpochDay(epochDayFromIso(next) - 1))).toEqual({ date, next });
        if (interval === 'week') expect(new Date(date).getUTCDay()).toBe(1);
        if (interval === 'week') expect(epochDayFromIso(next) - epochDayFromIso(date)).toBe(7);
        else expect([date.slice(8), next.slice(8)]).toEqual(['01', '01']);
      }
    }),
  );
});
