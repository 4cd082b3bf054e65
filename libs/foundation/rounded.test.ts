import { expect, test } from 'vitest';
import { rounded } from './rounded.ts';

test.each([
  [1.45, 1, 1.5],
  [-1.45, 1, -1.4],
  [1.005, 2, 1],
  [2.345_678, 4, 2.3457],
  [12.5, 0, 13],
  [-0.001, 2, -0],
  [Infinity, 2, Infinity],
  [NaN, 2, NaN],
])('%d with %d decimals is %d', (value, decimals, expected) => {
  expect(rounded(value, decimals)).toBe(expected);
});
