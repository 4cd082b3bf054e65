import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { epochDayFromIso, isoFromEpochDay } from './iso-day.ts';

describe('ISO days', () => {
  test('every 16-bit day number survives the round trip', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 65_535 }), (day) => {
        expect(epochDayFromIso(isoFromEpochDay(day))).toBe(day);
      }),
    );
  });

  test('1970-01-01 is day 0 and leap days count', () => {
    expect(isoFromEpochDay(0)).toBe('1970-01-01');
    expect(epochDayFromIso('2024-02-29') + 1).toBe(epochDayFromIso('2024-03-01'));
  });

  test.each(['2023-02-29', '2024-13-01', '20240101', '2024-01-01T00:00:00', ''])('refuses %j', (text) => {
    expect(() => epochDayFromIso(text)).toThrow(RangeError);
  });
});
