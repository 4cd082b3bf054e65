import { expect, test } from 'vitest';
import {
  CONFIRMATION_POINTS,
  cycleScore,
  levelCloseness,
  PRICE_POINTS,
  TIME_POINTS,
} from './cycle-reading.ts';

const MAX_CONFIRMATION_POINTS = Object.values(CONFIRMATION_POINTS).reduce<number>(
  (sum, points) => sum + points,
  0,
);

test('the parts of the score are at most 40 for time, 35 for price and 25 for confirmation', () => {
  expect([TIME_POINTS, PRICE_POINTS, MAX_CONFIRMATION_POINTS]).toEqual([40, 35, 25]);
  expect(cycleScore(40, 35, 25, true)).toBe(100);
  expect(cycleScore(26, 7, 5, true)).toBe(38);
});

test('without cycles the other parts make up the whole scale', () => {
  expect(cycleScore(0, 35, 25, false)).toBe(100);
  expect(cycleScore(0, 30, 0, false)).toBe(50);
});

test('closeness to a level falls linearly to 0 at the tolerance, on either side', () => {
  expect(levelCloseness(1_000, 1_000, NaN, 0.015)).toBe(1);
  expect(levelCloseness(1_000, 994, 1_020, 0.015)).toBeCloseTo(0.6, 12);
  expect(levelCloseness(1_000, 900, 1_006, 0.015)).toBeCloseTo(0.6, 12);
  expect(levelCloseness(1_000, 984, 1_016, 0.015)).toBe(0);
  expect(levelCloseness(1_000, NaN, NaN, 0.015)).toBe(0);
});
