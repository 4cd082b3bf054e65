import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TimeCycles } from './time-cycles.ts';

test('a cycle is due within its tolerance, the nearer the day the closer', () => {
  const cycles = new TimeCycles([45, 90], 2);
  const days = [42, 43, 44, 45, 46, 47, 48, 90];
  expect(days.map((passed) => cycles.dueAfter(passed))).toEqual([0, 45, 45, 45, 45, 45, 0, 90]);
  const closeness = days.map((passed) => cycles.closeness(passed));
  [0, 1 / 3, 2 / 3, 1, 2 / 3, 1 / 3, 0, 1].forEach((each, i) => expect(closeness[i]).toBeCloseTo(each, 12));
});

test('without tolerance only the very day counts', () => {
  const cycles = new TimeCycles([45], 0);
  expect([44, 45, 46].map((passed) => cycles.closeness(passed))).toEqual([0, 1, 0]);
});

test('of two cycles the nearer is due, of equally near ones the shorter', () => {
  const cycles = new TimeCycles([10, 14], 5);
  expect([11, 12, 13].map((passed) => cycles.dueAfter(passed))).toEqual([10, 10, 14]);
});

test('the next cycle is the first that has not been reached', () => {
  const cycles = new TimeCycles([45, 90], 2);
  expect([0, 44, 45, 89, 90, 400].map((passed) => cycles.daysToNext(passed))).toEqual([
    ...[45, 1, 45, 1, Infinity, Infinity],
  ]);
});

test('without cycles nothing is ever due', () => {
  const none = new TimeCycles([], 3);
  for (const passed of [0, 1, 3, 4, 1_000]) {
    expect([none.dueAfter(passed), none.closeness(passed), none.daysToNext(passed)]).toEqual([
      0,
      0,
      Infinity,
    ]);
  }
});

test('repeated lengths and their order make no difference', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 720 }), { maxLength: 8 });
  fc.assert(
    fc.property(lengths, fc.nat(5), fc.nat(800), (given, tolerance, passed) => {
      const [one, other] = [
        new TimeCycles(given, tolerance),
        new TimeCycles([...given.toReversed(), ...given], tolerance),
      ];
      expect(other.lengths).toEqual(one.lengths);
      expect(other.dueAfter(passed)).toBe(one.dueAfter(passed));
      expect(other.closeness(passed)).toBe(one.closeness(passed));
      expect(other.daysToNext(passed)).toBe(one.daysToNext(passed));
    }),
  );
});
