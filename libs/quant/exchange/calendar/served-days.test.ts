import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareServedDays } from './served-days.ts';
import { IDX_CALENDAR } from './trading-calendar.ts';

const YEAR = IDX_CALENDAR.tradingDays('2025-01-01', '2025-12-31');

describe('served days', () => {
  test('that are the trading days have no findings', () => {
    expect(compareServedDays(IDX_CALENDAR, YEAR)).toEqual([]);
    expect(compareServedDays(IDX_CALENDAR, [])).toEqual([]);
  });

  test('on which the exchange was closed are named with the reason', () => {
    const served = ['2025-08-15', '2025-08-16', '2025-08-18', '2025-08-19'];
    expect(compareServedDays(IDX_CALENDAR, served)).toEqual([
      { kind: 'served_closed_day', date: '2025-08-16', closedFor: 'weekend' },
      { kind: 'served_closed_day', date: '2025-08-18', closedFor: 'joint leave, Independence Day' },
    ]);
  });

  test('that leave out trading days have one gap for those in a row, holidays apart', () => {
    const served = YEAR.filter((isoDate) => isoDate < '2025-03-26' || isoDate > '2025-04-09');
    expect(compareServedDays(IDX_CALENDAR, served)).toEqual([
      { kind: 'gap', from: '2025-03-26', to: '2025-04-09', tradingDays: 4, isAssumed: false },
    ]);
  });

  test('a gap in a year that is not listed may be a holiday and says so', () => {
    expect(compareServedDays(IDX_CALENDAR, ['2014-12-24', '2014-12-26'])).toEqual([
      { kind: 'gap', from: '2014-12-25', to: '2014-12-25', tradingDays: 1, isAssumed: true },
    ]);
  });

  test('gaps and served days together make every trading day between the first and the last', () => {
    fc.assert(
      fc.property(fc.subarray(YEAR.slice(0, 80), { minLength: 1 }), (served) => {
        const missing = compareServedDays(IDX_CALENDAR, served).flatMap((finding) => {
          if (finding.kind !== 'gap') return expect.fail('no served day is closed');
          const days = IDX_CALENDAR.tradingDays(finding.from, finding.to);
          expect(days).toHaveLength(finding.tradingDays);
          return days;
        });
        expect([...served, ...missing].sort()).toEqual(IDX_CALENDAR.tradingDays(served[0]!, served.at(-1)!));
      }),
    );
  });
});
