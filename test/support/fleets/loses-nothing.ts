import { expect } from 'vitest';
import {
  eventFaults,
  ledgerFaults,
  recordedRunsOf,
  settle,
  SteadyLoad,
  type BrokenFleet,
} from './broken-fleet.ts';

/** Kills a process and waits until it is ready again and runs are accepted again. */
async function kill9UntilBack({ fleet }: BrokenFleet, name: string, load: SteadyLoad): Promise<void> {
  const timesBack = () => fleet.timesBack(name);
  const before = timesBack();
  await fleet.kill9(name);
  await expect.poll(timesBack).toBe(before + 1);
  const accepted = load.accepted.length;
  await expect.poll(() => load.accepted.length).toBeGreaterThan(accepted + 5);
}

/** What an operator and the tenants must find after a process of a fleet was killed under load. */
export async function losesNothing(broken: BrokenFleet, name: string): Promise<void> {
  const load = new SteadyLoad(broken.rest);
  await expect.poll(() => load.accepted.length).toBeGreaterThan(5);
  await kill9UntilBack(broken, name, load);
  const accepted = await load.stop();
  expect(load.unexpected).toEqual([]);

  const states = await settle(broken.rest, accepted);
  expect([...states.values()].filter((state) => state !== 'succeeded')).toEqual([]);
  await expect
    .poll(async () => await ledgerFaults(broken, accepted).catch(() => undefined))
    .toEqual({ doubled: 0, open: 0, missing: 0 });
  await expect
    .poll(async () => await eventFaults(broken, accepted).catch(() => undefined))
    .toEqual({ untold: 0, doubled: 0, gaps: 0 });
  expect(await recordedRunsOf(broken, load.endUser)).toBe(accepted.length);
}
