import type { SaringError } from './saring-error.ts';

const FIRST_MS = 250;
const LONGEST_MS = 8_000;
/** So that clients which were refused together do not come back together. */
const SPREAD_MS = 250;

/**
 * How long to wait before a request is repeated, in milliseconds: as long as the API says; without that, twice as long
 * each time, of which between half and the whole is waited. `repetitions` were made already; `random` is in [0, 1).
 */
export function retryDelayMs(
  { retryAfterSeconds }: Pick<SaringError, 'retryAfterSeconds'>,
  repetitions: number,
  random = Math.random(),
): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1_000 + random * SPREAD_MS;
  return Math.min(FIRST_MS * 2 ** repetitions, LONGEST_MS) * (0.5 + random / 2);
}
