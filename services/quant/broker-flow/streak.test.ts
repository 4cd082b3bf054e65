import fc from 'fast-check';
import { expect, test } from 'vitest';
import { currentStreak } from './streak.ts';

/** Days 10, 11, … with these net values. */
const daysOf = (...nets: number[]) => nets.map((netValue, i) => ({ day: 10 + i, netValue }));
const NONE = { side: 'NONE', startDay: -1, days: 0, netValue: 0 };
const streak = (side: string, startDay: number, days: number, netValue: number) => ({
  ...{ side, startDay, days, netValue },
});

test.each([
  ['nothing', [], NONE],
  ['flat days only', [0, 0], NONE],
  ['a single day of buying', [5], streak('ACCUMULATION', 10, 1, 5)],
  ['selling after buying', [5, 7, -2], streak('DISTRIBUTION', 12, 1, -2)],
  ['buying after selling', [-5, 7, 2], streak('ACCUMULATION', 11, 2, 9)],
  ['a flat day within', [-1, 5, 0, 7], streak('ACCUMULATION', 11, 2, 12)],
  ['a flat day at the end', [-1, 5, 0], streak('ACCUMULATION', 11, 1, 5)],
  ['a flat day before it', [-1, 0, 5], streak('ACCUMULATION', 12, 1, 5)],
  ['all the days there are', [-1, -2, -3], streak('DISTRIBUTION', 10, 3, -6)],
] as const)('%s', (_, nets, expected) => {
  expect(currentStreak(daysOf(...nets))).toEqual(expected);
});

test('flat days change nothing, and all days of the side since it began count', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -3, max: 3 })), (nets) => {
      const days = daysOf(...nets);
      const found = currentStreak(days);
      expect(found).toEqual(currentStreak(days.filter(({ netValue }) => netValue !== 0)));
      const since = days.filter(({ day }) => found.startDay >= 0 && day >= found.startDay);
      expect(found.netValue).toBe(since.reduce((sum, { netValue }) => sum + netValue, 0));
      expect(found.days).toBe(since.filter(({ netValue }) => netValue !== 0).length);
      expect(
        new Set(since.map(({ netValue }) => Math.sign(netValue))).has(-Math.sign(found.netValue) || 9),
      ).toBe(false);
      const before = days.filter(({ day, netValue }) => day < found.startDay && netValue !== 0).at(-1);
      if (before) expect(Math.sign(before.netValue)).toBe(-Math.sign(found.netValue));
    }),
  );
});
