import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayToAnalyse, effectiveAnalysisDate, lastWeekday } from './analysis-date.ts';

/** 17:30 UTC on 30 June is half past midnight on 1 July in Jakarta. */
const clock = () => new Date('2025-06-30T17:30:00Z');
const TODAY = '2025-07-01';

test.each([
  ['today', '', TODAY],
  ['2025-06-02', '', '2025-06-02'],
  ['2099-01-01', '', TODAY],
  ['today', '2024-06-28', '2024-06-28'],
  ['2025-06-02', '2024-06-28', '2024-06-28'],
  ['2024-05-31', '2024-06-28', '2024-05-31'],
  ['today', '2030-01-01', TODAY],
])('a run that requests %s under the pin "%s" analyses %s', (requested, pin, effective) => {
  expect(effectiveAnalysisDate(requested, { clock, pin })).toBe(effective);
});

const DAYS = ['2025-06-26', '2025-06-27'];
const onOrBefore = (date: string) => DAYS.findLast((day) => day <= date);
const areKnownWithin = async () => true;
const tradingDays = { onOrBefore, newestTrained: onOrBefore, areKnownWithin };

test.each([
  ['today', undefined, '2025-06-27'],
  ['2025-06-26', undefined, '2025-06-26'],
  ['2025-06-29', undefined, '2025-06-27'],
  ['2020-01-01', undefined, undefined],
  // A trading day that the submitting schedule already knows, but this service does not.
  ['today', '2025-06-30', '2025-06-30'],
  ['2025-06-26', '2025-06-30', '2025-06-26'],
])('a request for %s that awaits day %s resolves to trading day %s', (requested, known, day) => {
  expect(dayToAnalyse(requested, known, { clock, pin: '', tradingDays }).tradingDay).toBe(day);
});

test.each([
  ['today', undefined, '2025-06-26', undefined],
  ['2025-06-27', undefined, '2025-06-27', '2025-06-27'],
  ['2025-06-29', undefined, '2025-06-27', '2025-06-27'],
  ['2025-06-26', undefined, '2025-06-26', undefined],
  ['today', '2025-06-27', '2025-06-27', '2025-06-27'],
])(
  'while workers learn the day 2025-06-27, a request for %s that awaits %s analyses %s and waits for %s',
  (requested, awaited, tradingDay, waitsFor) => {
    const newestTrained = (date: string) => onOrBefore(date < '2025-06-26' ? date : '2025-06-26');
    const dates = { clock, pin: '', tradingDays: { onOrBefore, newestTrained, areKnownWithin } };
    expect(dayToAnalyse(requested, awaited, dates)).toMatchObject({ tradingDay, awaited: waitsFor });
  },
);

test.each([
  ['2024-06-28', '2024-06-28'],
  ['2024-06-29', '2024-06-28'],
  ['2024-06-30', '2024-06-28'],
  ['2024-07-01', '2024-07-01'],
])('the last weekday on or before %s is %s', (date, day) => {
  expect(lastWeekday(date)).toBe(day);
});

test('no run analyses a date after today or the pin, and earlier dates stay as requested', () => {
  const day = fc
    .date({ min: new Date('2019-01-01'), max: new Date('2035-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  fc.assert(
    fc.property(day, day, (requested, pin) => {
      const effective = effectiveAnalysisDate(requested, { clock, pin });
      expect(effective <= pin && effective <= TODAY).toBe(true);
      if (requested <= pin && requested <= TODAY) expect(effective).toBe(requested);
    }),
  );
});
