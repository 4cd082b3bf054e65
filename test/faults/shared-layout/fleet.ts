import { ownFleet } from '#support/fleets/broken-fleet.ts';
import { SMALL_MARKET } from '#support/fleets/fleet.ts';
import { stocksOfLastDay, type Stock } from '#support/markets/next-day.ts';

/**
 * The fleet that all tests of this folder break in turn. Each leaves it able to run. It has two workers, so that one can be away
 * while the other runs.
 */
export const own = ownFleet({ ...SMALL_MARKET, WORKERS: '2' });

let known: Promise<Stock[]> | undefined;
/** The stocks of the market before a test has added a day: added days have no negotiated trades, by which stocks are listed. */
export function stocks(): Promise<Stock[]> {
  return (known ??= stocksOfLastDay(own.rest));
}
