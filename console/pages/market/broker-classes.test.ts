import { expect, test } from 'vitest';
import { streakOf } from './broker-classes.ts';

test.each([
  [[1, -2, 3, 4], 'ACCUMULATION', 2],
  [[-1, -2, -3], 'DISTRIBUTION', 3],
  [[5, -1], 'DISTRIBUTION', 1],
  [[5, 0], 'NONE', 0],
  [[], 'NONE', 0],
] as const)('a streak counts the latest consecutive days with the same sign: %j', (values, side, length) => {
  expect(streakOf(values)).toEqual({ side, length });
});
