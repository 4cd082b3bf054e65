import { expect, test } from 'vitest';
import { ledgerFaults, ownFleet, settle, SteadyLoad } from '#support/broken-fleet.ts';

const own = ownFleet();

test.each(['models', 'usage', 'gateway', 'market-data', 'keys', 'nats', 'postgres', 'clickhouse'])(
  'kill -9 of %s loses no accepted run and doubles no usage row',
  async (name) => {
    const load = new SteadyLoad(own.rest);
    await new Promise((resolve) => setTimeout(resolve, 500));
    for (let blow = 0; blow < 2; blow++) {
      await own.fleet.kill9(name);
      await new Promise((resolve) => setTimeout(resolve, 2_500));
    }
    const accepted = await load.stop();
    expect(load.unexpected).toEqual([]);
    expect(accepted.length).toBeGreaterThan(5);

    const states = await settle(own.rest, accepted);
    expect([...states.values()].filter((state) => state !== 'succeeded')).toEqual([]);
    await expect
      .poll(async () => await ledgerFaults(own, accepted).catch(() => undefined), {
        timeout: 30_000,
        interval: 250,
      })
      .toEqual({ doubled: 0, open: 0, missing: 0 });
  },
);
