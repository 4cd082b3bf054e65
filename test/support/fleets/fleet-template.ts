import { rm } from 'node:fs/promises';
import path from 'node:path';
import { Fleet, SMALL_MARKET, TEMPLATE_VARIABLE } from './fleet.ts';

/** What a copy makes anew: two fleets with the same ports would take them from each other. */
const NOT_COPIED = ['ports.json', 'logs', 'lock', 'cache'];

/**
 * Makes the state of a fleet with the small market once for a run of the tests, which the fleets of test files start
 * from: to make it anew costs each of them twice the processor time of a start. All groups share it; who makes it removes it.
 */
export default async function makeFleetTemplate(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[TEMPLATE_VARIABLE] !== undefined) return undefined;
  const fleet = await Fleet.start(SMALL_MARKET);
  await fleet.stop({ keepState: true });
  for (const name of NOT_COPIED) await rm(path.join(fleet.stateDir, name), { recursive: true, force: true });
  process.env[TEMPLATE_VARIABLE] = fleet.stateDir;
  return () => rm(fleet.stateDir, { recursive: true, force: true });
}
