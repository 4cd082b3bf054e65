import { ownFleet } from '#support/fleets/broken-fleet.ts';
import { SMALL_MARKET } from '#support/fleets/fleet.ts';

/**
 * The fleet that all tests of this folder break in turn. Each leaves it able to run. It has two workers, so that one can be unavailable
 * while the other runs.
 */
export const own = ownFleet({ ...SMALL_MARKET, WORKERS: '2' });
