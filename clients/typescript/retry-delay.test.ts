import fc from 'fast-check';
import { expect, test } from 'vitest';
import { retryDelayMs } from './transport.ts';

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const said = { retryAfterSeconds: undefined };

test('the retry delay is the Retry-After of the API plus at most 250 ms', () => {
  fc.assert(
    fc.property(fc.nat(3_600), fc.nat(20), random, (seconds, repetitions, chance) => {
      const delayMs = retryDelayMs({ retryAfterSeconds: seconds }, repetitions, chance);
      expect(delayMs).toBeGreaterThanOrEqual(seconds * 1_000);
      expect(delayMs).toBeLessThanOrEqual(seconds * 1_000 + 250);
    }),
  );
});

test('without Retry-After, the delay doubles up to 8 s and varies within its upper half', () => {
  fc.assert(
    fc.property(fc.nat(60), random, (repetitions, chance) => {
      const longest = Math.min(8_000, 250 * 2 ** repetitions);
      const delayMs = retryDelayMs(said, repetitions, chance);
      expect(delayMs).toBeGreaterThanOrEqual(longest / 2);
      expect(delayMs).toBeLessThanOrEqual(longest);
    }),
  );
});
