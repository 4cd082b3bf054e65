import { afterAll, beforeAll, expect, test } from 'vitest';
import { ledgerFaults, settle, SteadyLoad, type BrokenFleet } from '#support/fleets/broken-fleet.ts';
import { Fleet, SMALL_MARKET } from '#support/fleets/fleet.ts';
import { issueKey } from '#support/fleets/issued-keys.ts';
import { Rest } from '#support/rest/rest.ts';
import { NatsCluster } from '#support/servers/nats-cluster.ts';

let cluster: NatsCluster;
let own: BrokenFleet;

beforeAll(async () => {
  cluster = await NatsCluster.start();
  const fleet = await Fleet.start({ ...SMALL_MARKET, NATS_URL: cluster.urls, STREAM_REPLICAS: '3' });
  const { id, key } = await issueKey(fleet.stateDir, 'models:read,models:run');
  own = { fleet, rest: new Rest((await fleet.file()).base_url, key), keyId: id };
});
afterAll(async () => {
  await own?.fleet.stop();
  await cluster.remove();
});

const copies = async () => Object.values(await cluster.copies());

test('killing each NATS node in turn under load, the stream leader first, loses no accepted run and records none twice', async () => {
  await expect.poll(copies).toEqual([3, 3, 3, 3, 3]);
  const load = new SteadyLoad(own.rest);
  await expect.poll(() => load.accepted.length).toBeGreaterThan(5);
  const leader = await cluster.leaderOf('RUNS');
  for (const node of [leader, (leader + 1) % 3, (leader + 2) % 3]) {
    await cluster.kill9(node);
    const before = load.accepted.length;
    await expect.poll(() => load.accepted.length).toBeGreaterThan(before + 10);
    await cluster.restart(node);
    await expect.poll(copies).toEqual([3, 3, 3, 3, 3]);
  }
  const accepted = await load.stop();
  expect(load.unexpected).toEqual([]);
  const states = await settle(own.rest, accepted);
  expect([...states.values()].filter((state) => state !== 'succeeded')).toEqual([]);
  await expect
    .poll(() => ledgerFaults(own, accepted).catch(() => undefined))
    .toEqual({ doubled: 0, open: 0, missing: 0 });
});
