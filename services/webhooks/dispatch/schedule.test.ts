import fc from 'fast-check';
import { expect, test } from 'vitest';
import { askedPauseMs, PAUSES_MS, pauseAfter, restAfter } from './schedule.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const now = new Date('2026-11-20T09:00:00Z');
const asked = fc.oneof(fc.nat(), fc.constant(Number.POSITIVE_INFINITY));

test('a receiver lengthens a pause, never shortens it, and not beyond 20 hours or three days of age', () => {
  const attempts = fc.integer({ min: 1, max: PAUSES_MS.length });
  const age = fc.integer({ min: 0, max: 100 * HOUR_MS });
  fc.assert(
    fc.property(
      attempts,
      asked,
      age,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (n, askedMs, ageMs, chance) => {
        const scheduledMs = pauseAfter({ attempts: n, askedMs: 0, ageMs }, () => chance)!;
        const pauseMs = pauseAfter({ attempts: n, askedMs, ageMs }, () => chance)!;
        const allowedMs = Math.min(askedMs, 20 * HOUR_MS, 72 * HOUR_MS - ageMs);
        expect(pauseMs).toBe(Math.max(scheduledMs, allowedMs));
        expect(Math.abs(scheduledMs / PAUSES_MS[n - 1]! - 1)).toBeLessThanOrEqual(0.1 + 1e-9);
      },
    ),
  );
  expect(
    pauseAfter({ attempts: PAUSES_MS.length + 1, askedMs: HOUR_MS, ageMs: 0 }, () => 0.5),
  ).toBeUndefined();
});

test('an endpoint rests from the third failure or if it asks, for five minutes at most but for the jitter', () => {
  const rest = (failures: number, askedMs = 0) => restAfter({ failures, askedMs }, () => 0.5);
  expect([1, 2, 3, 4, 5, 100].map((failures) => rest(failures))).toEqual([
    0,
    0,
    5_000,
    10_000,
    20_000,
    5 * MINUTE_MS,
  ]);
  expect([rest(1, 7_000), rest(5, 7_000), rest(1, HOUR_MS)]).toEqual([7_000, 20_000, 5 * MINUTE_MS]);
});

test.each([
  [429, '120', 2 * MINUTE_MS],
  [503, '0', 0],
  [503, 'Fri, 20 Nov 2026 09:10:00 GMT', 10 * MINUTE_MS],
  [503, 'Friday, 20-Nov-26 09:10:00 GMT', 10 * MINUTE_MS],
  [429, 'Fri, 20 Nov 2026 08:00:00 GMT', 0],
  [503, '-5', 0],
  [503, '1.5', 0],
  [503, 'tomorrow', 0],
  [503, 'never GMT', 0],
  [503, '', 0],
  [503, undefined, 0],
  [500, '120', 0],
  [undefined, '120', 0],
])('an answer of %s with Retry-After %s asks for %i ms', (status, retryAfter, expected) => {
  expect(askedPauseMs({ status, retryAfter }, now)).toBe(expected);
});
