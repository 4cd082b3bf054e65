import { ownFleet } from '#support/fleets/broken-fleet.ts';
import { SMALL_MARKET } from '#support/fleets/fleet.ts';

/** Tests repeat requests with refused secrets many times. */
export const PATIENT_GATEWAY = { FAILED_AUTH_LIMIT: '1000000' };

/** The fleet that all tests of this folder share, in turn. */
export const own = ownFleet({ ...SMALL_MARKET, ...PATIENT_GATEWAY });
