import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dueMoment, freshness, newestDueDay } from './due-days.ts';
import { IDX_CALENDAR, TradingCalendar } from './trading-calendar.ts';

const at = (jakarta: string) => new Date(`${jakarta}+07:00`);
const anyMoment = fc.date({ min: at('2013-06-01T00:00'), max: at('2028-06-30T00:00'), noInvalidDate: true });
const anyClockTime = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));

describe('a trading day', () => {
  test('is due at 18:35 in Jakarta unless told otherwise, not a millisecond earlier', () => {
    expect(newestDueDay(IDX_CALENDAR, at('2026-11-24T18:34:59.999'))).toBe('2026-11-23');
    expect(newestDueDay(IDX_CALENDAR, at('2026-11-24T18:35'))).toBe('2026-11-24');
    expect(newestDueDay(IDX_CALENDAR, at('2026-11-24T17:00'), '17:00')).toBe('2026-11-24');
  });

  test('is not due before trading ends, whatever the setting', () => {
    expect(dueMoment(IDX_CALENDAR, '2026-11-24', '09:00')).toEqual(at('2026-11-24T16:30'));
    expect(dueMoment(IDX_CALENDAR, '2022-11-24', '09:00')).toEqual(at('2022-11-24T15:30'));
    const early = new TradingCalendar({ ...IDX_CALENDAR.facts, earlyCloses: { '2026-11-24': '11:30' } });
    expect(dueMoment(early, '2026-11-24', '09:00')).toEqual(at('2026-11-24T11:30'));
  });

  test('stays the newest due one over weekends, holidays and the turn of the year', () => {
    expect(newestDueDay(IDX_CALENDAR, at('2026-11-22T23:00'))).toBe('2026-11-20');
    expect(newestDueDay(IDX_CALENDAR, at('2025-04-08T18:00'))).toBe('2025-03-27');
    expect(newestDueDay(IDX_CALENDAR, at('2026-01-01T03:00'))).toBe('2025-12-30');
  });

  test('is due only if it is due by its own moment, for any moment and time', () => {
    fc.assert(
      fc.property(anyMoment, anyClockTime, (moment, dueAt) => {
        const newest = newestDueDay(IDX_CALENDAR, moment, dueAt);
        expect(IDX_CALENDAR.isTradingDay(newest)).toBe(true);
        expect(dueMoment(IDX_CALENDAR, newest, dueAt) <= moment).toBe(true);
        expect(dueMoment(IDX_CALENDAR, IDX_CALENDAR.nextTradingDay(newest), dueAt) > moment).toBe(true);
      }),
    );
  });

  test('that is due stays due as time passes', () => {
    fc.assert(
      fc.property(anyMoment, anyMoment, anyClockTime, (one, other, dueAt) => {
        const [earlier, later] = one < other ? [one, other] : [other, one];
        expect(newestDueDay(IDX_CALENDAR, earlier, dueAt) <= newestDueDay(IDX_CALENDAR, later, dueAt)).toBe(
          true,
        );
      }),
    );
  });

  test('with a time that does not exist is refused', () => {
    expect(() => newestDueDay(IDX_CALENDAR, new Date(), '18:75')).toThrow(
      'dueAt must be a time of day HH:MM, got 18:75',
    );
  });
});

describe('freshness', () => {
  test('counts the trading days that are due and missing, and calls them late two hours after they were due', () => {
    const fresh = { expectedAsOf: '2026-11-23', behindTradingDays: 0, isLate: false, isAssumed: false };
    expect(freshness(IDX_CALENDAR, '2026-11-23', at('2026-11-24T12:00'))).toEqual(fresh);
    const behind = { ...fresh, expectedAsOf: '2026-11-24', behindTradingDays: 1 };
    expect(freshness(IDX_CALENDAR, '2026-11-23', at('2026-11-24T20:34'))).toEqual(behind);
    expect(freshness(IDX_CALENDAR, '2026-11-23', at('2026-11-24T20:35'))).toEqual({
      ...behind,
      isLate: true,
    });
  });

  test('data that arrives before it is due is not behind', () => {
    expect(freshness(IDX_CALENDAR, '2026-11-24', at('2026-11-24T16:40'))).toEqual({
      expectedAsOf: '2026-11-23',
      behindTradingDays: 0,
      isLate: false,
      isAssumed: false,
    });
  });

  test('says when a missing day may be a holiday, since its year is not listed', () => {
    expect(freshness(IDX_CALENDAR, '2026-12-30', at('2027-01-01T19:00'))).toEqual({
      expectedAsOf: '2027-01-01',
      behindTradingDays: 1,
      isLate: false,
      isAssumed: true,
    });
    expect(freshness(IDX_CALENDAR, '2026-12-29', at('2026-12-31T19:00')).isAssumed).toBe(false);
  });

  test('late after another time follows the setting', () => {
    const times = { dueAt: '17:00', lateAfterMinutes: 0 };
    expect(freshness(IDX_CALENDAR, '2026-11-23', at('2026-11-24T17:00'), times).isLate).toBe(true);
  });
});
