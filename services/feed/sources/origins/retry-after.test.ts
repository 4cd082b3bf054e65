import { expect, test } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

const NOW = new Date('2024-07-03T13:00:00Z');

test.each([
  ['120', 120_000],
  [' 7 ', 7_000],
  ['Wed, 03 Jul 2024 13:00:05 GMT', 5_000],
  ['Wednesday, 03-Jul-24 13:00:05 GMT', 5_000],
  ['9'.repeat(30), 86_400_000],
])('%s is a time to come', (header, ms) => {
  expect(retryAfterMs(header, NOW)).toBe(ms);
});

test.each([null, '', '0', '5.5', '-5', '1e3', 'soon', '2024-07-04', 'Wed, 03 Jul 2024 12:59:59 GMT'])(
  '%s is none, so that the usual pauses apply',
  (header) => {
    expect(retryAfterMs(header, NOW)).toBeUndefined();
  },
);
