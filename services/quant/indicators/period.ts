/** Window lengths are whole numbers of bars from 1 up; anything else is a caller's mistake. */
export function requirePeriod(period: number): void {
  if (!Number.isInteger(period) || period < 1)
    throw new RangeError(`period must be an integer >= 1, got ${period}`);
}
