import { ownFleet } from '#support/fleets/broken-fleet.ts';
import { SEPARATE, SMALL_MARKET } from '#support/fleets/fleet.ts';

/** The fleet that all tests of this folder break in turn. Each leaves it able to run. */
export const own = ownFleet({ ...SMALL_MARKET, ...SEPARATE });
