import { describe, expect, test } from 'vitest';
import { dueDays, MAX_DUE } from './due-days.ts';
import { calendarOf, dueRequest, marketOf } from './market-fixture.ts';
import type { DueRequest } from './source.ts';

const HOLIDAY = '2024-07-03';
const calendar = calendarOf([HOLIDAY]);
const SERVED = calendar.tradingDays('2024-01-02', '2024-06-28');
/** Monday 2024-07-01 and later. */
const AFTER_CLOSE = '2024-07-01T18:35:00+07:00';

function due(request: DueRequest, { recheckDays = 0, isBrokerRows = false } = {}): string[] {
  return dueDays({ ...request, calendar, dueAt: '18:35', recheckDays, isBrokerRows });
}

describe('days of bars', () => {
  test('are due from their time of day on, and not on holidays', () => {
    expect(due(dueRequest(marketOf(SERVED), '2024-07-01T18:34:59+07:00'))).toEqual([]);
    expect(due(dueRequest(marketOf(SERVED), AFTER_CLOSE))).toEqual(['2024-07-01']);
    expect(due(dueRequest(marketOf(SERVED), '2024-07-04T20:00:00+07:00'))).toEqual([
      '2024-07-01',
      '2024-07-02',
      '2024-07-04',
    ]);
  });

  test('that are missing between served ones are asked for first, if they are among the last 60', () => {
    const without = SERVED.filter((day) => !['2024-01-10', '2024-06-11', '2024-06-25'].includes(day));
    expect(due(dueRequest(marketOf(without), AFTER_CLOSE))).toEqual([
      '2024-06-11',
      '2024-06-25',
      '2024-07-01',
    ]);
  });

  test('are asked for at most 20 at once, the oldest first', () => {
    const days = due(dueRequest(marketOf(SERVED), '2024-09-02T20:00:00+07:00'), { recheckDays: 5 });
    expect(days).toHaveLength(MAX_DUE);
    expect(days[0]).toBe('2024-07-01');
    expect(days).toEqual(days.toSorted());
  });

  test('that were fetched today are left alone until tomorrow', () => {
    const request = dueRequest(marketOf(SERVED), AFTER_CLOSE, { isDone: (day) => day === '2024-07-01' });
    expect(due(request)).toEqual([]);
  });

  test('that are served are asked for again once a day, after those that are missing', () => {
    const done = new Set<string>();
    const request = dueRequest(marketOf(SERVED), AFTER_CLOSE, { isDone: (day) => done.has(day) });
    const days = due(request, { recheckDays: 2 });
    expect(days).toEqual(['2024-07-01', '2024-06-27', '2024-06-28']);
    for (const day of days) done.add(day);
    expect(due(request, { recheckDays: 2 })).toEqual([]);
  });

  test('that are served before they are due are not asked for again before that', () => {
    const early = marketOf([...SERVED, '2024-07-01']);
    expect(due(dueRequest(early, '2024-07-01T12:00:00+07:00'), { recheckDays: 1 })).toEqual(['2024-06-28']);
    expect(due(dueRequest(early, AFTER_CLOSE), { recheckDays: 1 })).toEqual(['2024-07-01']);
  });
});

describe('days of which another source has brought a few stocks', () => {
  const TEN = calendar.tradingDays('2024-07-01', '2024-07-15');
  const thin = marketOf([...SERVED, ...TEN], { wholeUntil: SERVED.at(-1)! });
  const now = '2024-07-16T20:00:00+07:00';

  test('are due for this source, as if they were not served', () => {
    const request = dueRequest(thin, now, { lastDay: SERVED.at(-1) });
    expect(due(request)).toEqual([...TEN, '2024-07-16']);
    expect(due({ ...request, lastDay: undefined })).toEqual([...TEN, '2024-07-16']);
  });

  test('are due for a source that has not come to them or failed, once a day, also when they are whole', () => {
    const whole = marketOf([...SERVED, ...TEN]);
    const request = dueRequest(whole, '2024-07-15T20:00:00+07:00', { lastDay: '2024-07-12' });
    expect(due(request)).toEqual(['2024-07-15']);
    const failed = { ...request, hasFailed: (day: string) => day === '2024-07-04' };
    expect(due(failed)).toEqual(['2024-07-04', '2024-07-15']);
    expect(due({ ...failed, wasAsked: () => true })).toEqual(['2024-07-15']);
  });

  test('the newest is due until it is whole, although it was brought today', () => {
    const request = dueRequest(thin, '2024-07-15T20:00:00+07:00', { isDone: () => true });
    expect(due(request)).toEqual(['2024-07-15']);
    expect(due({ ...request, market: { ...thin, wholeUntil: '2024-07-15' } })).toEqual([]);
  });

  test('are not due for broker rows', () => {
    const market = { ...thin, brokerLastDay: SERVED.at(-2)! };
    expect(due(dueRequest(market, now), { isBrokerRows: true })).toEqual([SERVED.at(-1)]);
  });
});

describe('days of broker rows', () => {
  const rows = { isBrokerRows: true };

  test('are those with bars after the newest day with rows', () => {
    const market = marketOf(SERVED, { brokerLastDay: '2024-06-26' });
    expect(due(dueRequest(market, AFTER_CLOSE), rows)).toEqual(['2024-06-27', '2024-06-28']);
    expect(due(dueRequest(market, AFTER_CLOSE), { ...rows, recheckDays: 1 })).toEqual([
      '2024-06-27',
      '2024-06-28',
      '2024-06-26',
    ]);
  });

  test('begin with the newest day with bars if there are none', () => {
    expect(due(dueRequest(marketOf(SERVED), AFTER_CLOSE), { ...rows, recheckDays: 3 })).toEqual([
      '2024-06-28',
    ]);
  });
});
