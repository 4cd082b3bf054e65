import { expect, test } from 'vitest';
import { shareInterval } from './curve.tsx';

test.each([
  [50, 100, 40.4, 59.6],
  [0, 20, 0, 16.1],
  [100, 20, 83.9, 100],
  [26.1, 100_000, 25.8, 26.4],
])('a share of %d percent of %d cases has an interval from %d to %d percent', (share, cases, low, high) => {
  const interval = shareInterval(share, cases);
  expect(interval.low).toBeCloseTo(low, 1);
  expect(interval.high).toBeCloseTo(high, 1);
});
