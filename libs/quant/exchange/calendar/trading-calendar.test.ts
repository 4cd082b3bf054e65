import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { epochDayFromIso, isoFromEpochDay } from '#foundation/iso-day.ts';
import { IDX_CALENDAR, TradingCalendar } from './trading-calendar.ts';

/** Any day from before the listed years until after them. */
const anyDay = fc
  .integer({ min: epochDayFromIso('2013-06-01'), max: epochDayFromIso('2028-06-30') })
  .map(isoFromEpochDay);

describe('a day', () => {
  test('is closed at weekends and on holidays, for a reason', () => {
    expect(IDX_CALENDAR.day('2026-11-21')).toEqual({ isOpen: false, closedFor: 'weekend', isAssumed: false });
    expect(IDX_CALENDAR.day('2026-12-24').closedFor).toBe('joint leave, Christmas Day');
    expect(IDX_CALENDAR.day('2026-12-23')).toEqual({ isOpen: true, closedFor: null, isAssumed: false });
  });

  test('of a year that is not listed counts as a trading day unless it is a weekend, and says that it is assumed', () => {
    expect(IDX_CALENDAR.day('2014-12-25')).toEqual({ isOpen: true, closedFor: null, isAssumed: true });
    expect(IDX_CALENDAR.day('2027-01-01')).toEqual({ isOpen: true, closedFor: null, isAssumed: true });
    expect(IDX_CALENDAR.day('2027-01-02')).toEqual({ isOpen: false, closedFor: 'weekend', isAssumed: false });
  });

  test('that does not exist is refused by every method', () => {
    const wrong = '2026-02-30';
    for (const call of [
      () => IDX_CALENDAR.day(wrong),
      () => IDX_CALENDAR.isTradingDay(wrong),
      () => IDX_CALENDAR.nextTradingDay(wrong),
      () => IDX_CALENDAR.previousTradingDay(wrong),
      () => IDX_CALENDAR.tradingDayOnOrBefore(wrong),
      () => IDX_CALENDAR.tradingDays(wrong, '2026-03-01'),
      () => IDX_CALENDAR.lastTradingDays(3, wrong),
      () => IDX_CALENDAR.missingDays('2026-02-01', wrong),
      () => IDX_CALENDAR.endOfTrading(wrong),
    ])
      expect(call).toThrow('not a date of the form YYYY-MM-DD: 2026-02-30');
  });
});

describe('neighbours', () => {
  test('of the long holiday of 2025 lie eleven days apart', () => {
    expect(IDX_CALENDAR.nextTradingDay('2025-03-27')).toBe('2025-04-08');
    expect(IDX_CALENDAR.previousTradingDay('2025-04-08')).toBe('2025-03-27');
    expect(IDX_CALENDAR.tradingDayOnOrBefore('2025-04-01')).toBe('2025-03-27');
    expect(IDX_CALENDAR.tradingDayOnOrBefore('2025-04-08')).toBe('2025-04-08');
  });

  test('next and previous undo each other on trading days, and nothing trades between', () => {
    fc.assert(
      fc.property(anyDay, (isoDate) => {
        const tradingDay = IDX_CALENDAR.tradingDayOnOrBefore(isoDate);
        const next = IDX_CALENDAR.nextTradingDay(tradingDay);
        expect(IDX_CALENDAR.isTradingDay(next)).toBe(true);
        expect(IDX_CALENDAR.previousTradingDay(next)).toBe(tradingDay);
        expect(IDX_CALENDAR.tradingDays(tradingDay, next)).toEqual([tradingDay, next]);
      }),
    );
  });
});

describe('counts', () => {
  test('of days behind add up, and agree with steps from day to day', () => {
    fc.assert(
      fc.property(anyDay, fc.nat(100), fc.nat(100), (a, toB, toC) => {
        const b = isoFromEpochDay(epochDayFromIso(a) + toB);
        const c = isoFromEpochDay(epochDayFromIso(b) + toC);
        const behind = (from: string, to: string) => IDX_CALENDAR.missingDays(from, to).length;
        expect(behind(a, b) + behind(b, c)).toBe(behind(a, c));
        expect(behind(a, IDX_CALENDAR.nextTradingDay(a))).toBe(1);
        expect(behind(c, a)).toBe(0);
      }),
    );
  });

  test('the last trading days up to a day are the end of all before it', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 0, max: 60 }), (isoDate, count) => {
        const all = IDX_CALENDAR.tradingDays(isoFromEpochDay(epochDayFromIso(isoDate) - 150), isoDate);
        expect(IDX_CALENDAR.lastTradingDays(count, isoDate)).toEqual(count === 0 ? [] : all.slice(-count));
      }),
    );
  });

  test('data of a day is not behind itself, and over a weekend with a holiday one day behind', () => {
    expect(IDX_CALENDAR.missingDays('2026-08-14', '2026-08-14')).toEqual([]);
    expect(IDX_CALENDAR.missingDays('2026-08-14', '2026-08-18')).toEqual(['2026-08-18']);
  });
});

test('an early close ends all trading of its day, and of no other', () => {
  const calendar = new TradingCalendar({ ...IDX_CALENDAR.facts, earlyCloses: { '2026-12-30': '12:00' } });
  expect(calendar.endOfTrading('2026-12-30').toISOString()).toBe('2026-12-30T05:00:00.000Z');
  expect(calendar.hours('2026-12-29')).toEqual({ regular: '16:15', negotiated: '16:30' });
});
