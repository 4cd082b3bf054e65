import fc from 'fast-check';
import { expect, test } from 'vitest';
import { effectiveAnalysisDate } from './analysis-date.ts';

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
])('asked for %s under the pin "%s" a run analyses %s', (requested, pin, effective) => {
  expect(effectiveAnalysisDate(requested, { clock, pin })).toBe(effective);
});

test('no run ever looks beyond today or the pin, and earlier dates are kept', () => {
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
