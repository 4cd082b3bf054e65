import { expect, test } from 'vitest';
import { isCalendarDay, jakartaDateTime, jakartaDay, mondayOf, startOfJakartaDay } from './jakarta-time.ts';

test('a datetime is written with the Jakarta offset', () => {
  expect(jakartaDateTime(new Date('2026-11-20T02:15:00.250Z'))).toBe('2026-11-20T09:15:00.250+07:00');
});

test('the Jakarta day begins at 17:00 UTC of the previous day', () => {
  expect(jakartaDay(new Date('2026-11-19T16:59:59.999Z'))).toBe('2026-11-19');
  expect(jakartaDay(new Date('2026-11-19T17:00:00.000Z'))).toBe('2026-11-20');
  expect(startOfJakartaDay('2026-11-20').toISOString()).toBe('2026-11-19T17:00:00.000Z');
});

test.each([
  ['2024-02-29', true],
  ['2025-02-29', false],
  ['2025-13-01', false],
  ['2025-1-01', false],
  ['today', false],
])('%s is a calendar day: %s', (text, expected) => {
  expect(isCalendarDay(text)).toBe(expected);
});

test.each([
  ['2025-12-29', '2025-12-29'],
  ['2026-01-01', '2025-12-29'],
  ['2026-01-04', '2025-12-29'],
  ['2026-01-05', '2026-01-05'],
])('the week of %s begins on %s', (day, monday) => {
  expect(mondayOf(day)).toBe(monday);
});
