import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Calendar } from '#proto/saring/wire/v1/words.ts';
import { isDue, periodEnd, periodStart } from './firings.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

const CALENDARS: Calendar[] = ['daily', 'weekly', 'monthly'];

/** 29 December 2025, a Monday. Its ISO week spans two months and two years. */
const MONDAY = Date.parse('2025-12-29T00:00:00Z');
const dayAt = (offset: number) => new Date(MONDAY + offset * DAY_MS).toISOString().slice(0, 10);

test.each<[Calendar, string, string, boolean]>([
  ['daily', '2026-01-05', '2026-01-06', true],
  ['daily', '2026-01-06', '2026-01-06', false],
  ['daily', '2026-01-06', '2026-01-05', false],
  ['weekly', '2026-01-02', '2026-01-05', true],
  ['weekly', '2026-01-05', '2026-01-09', false],
  ['weekly', '2025-12-29', '2026-01-02', false],
  ['weekly', '2026-01-02', '2026-01-11', true],
  ['weekly', '2026-01-12', '2026-01-09', false],
  ['monthly', '2026-01-30', '2026-02-02', true],
  ['monthly', '2026-02-02', '2026-02-27', false],
  ['monthly', '2025-12-30', '2026-12-01', true],
])('a %s schedule that last saw %s, with %s as newest day, is due: %s', (calendar, before, newest, due) => {
  expect(isDue(calendar, before, newest)).toBe(due);
});

test.each<[Calendar, string, string]>([
  ['daily', '2026-01-06', '2026-01-06'],
  ['weekly', '2025-12-29', '2026-01-04'],
  ['weekly', '2025-12-30', '2026-01-04'],
  ['weekly', '2026-01-04', '2026-01-04'],
  ['monthly', '2026-01-02', '2026-01-31'],
  ['monthly', '2026-01-31', '2026-01-31'],
  ['monthly', '2024-02-01', '2024-02-29'],
  ['monthly', '2025-12-30', '2025-12-31'],
])('a %s schedule that has come to %s fires after %s', (calendar, day, end) => {
  expect(periodEnd(calendar, day)).toBe(end);
});

test('the period of every day of a period starts and ends on the same days', () => {
  fc.assert(
    fc.property(fc.nat(400).map(dayAt), fc.constantFrom(...CALENDARS), (day, calendar) => {
      const [start, end] = [periodStart(calendar, day), periodEnd(calendar, day)];
      expect(start <= day && day <= end).toBe(true);
      expect([periodStart(calendar, end), periodEnd(calendar, start)]).toEqual([start, end]);
      const before = new Date(Date.parse(start) - DAY_MS).toISOString().slice(0, 10);
      expect(periodEnd(calendar, before)).toBe(before);
    }),
  );
});

/** Computed from day offsets, independently of the code under test. */
const PERIOD_OF: Record<Calendar, (offset: number) => number | string> = {
  daily: (offset) => offset,
  weekly: (offset) => Math.floor(offset / 7),
  monthly: (offset) => dayAt(offset).slice(0, 7),
};

/** The newest day of the dataset over time, and how many of these states came before the schedule was created. */
const history = fc
  .uniqueArray(fc.nat(400), { minLength: 1, maxLength: 60 })
  .map((offsets) => offsets.toSorted((a, b) => a - b))
  .chain((offsets) => fc.tuple(fc.constant(offsets), fc.integer({ min: 1, max: offsets.length })));

test('a schedule fires once per period, on the first day seen after its creation, and never for an old day', () => {
  fc.assert(
    fc.property(history, fc.constantFrom(...CALENDARS), ([offsets, madeAfter], calendar) => {
      let before = offsets[madeAfter - 1]!;
      const made = before;
      const later = offsets.slice(madeAfter);
      const fired = later.filter((newest) => {
        const due = isDue(calendar, dayAt(before), dayAt(newest));
        before = newest;
        return due;
      });
      const periodOf = PERIOD_OF[calendar];
      const firstOfLaterPeriods = later.filter(
        (offset, index) =>
          periodOf(offset) !== periodOf(made) &&
          later.findIndex((other) => periodOf(other) === periodOf(offset)) === index,
      );
      expect(fired).toEqual(firstOfLaterPeriods);
    }),
  );
});
