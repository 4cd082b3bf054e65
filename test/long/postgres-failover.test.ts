import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ChaosClients } from '../chaos/clients.ts';
import { readMarket } from '#support/load/known-market.ts';
import { settle } from '#support/fleets/broken-fleet.ts';
import { Fleet, SMALL_MARKET } from '#support/fleets/fleet.ts';
import { issueKey } from '#support/fleets/issued-keys.ts';
import { Rest } from '#support/rest/rest.ts';
import { hasPostgresPair, PostgresPair } from '#support/servers/postgres-pair.ts';
import { needing } from '#support/needing.ts';

describe('PostgreSQL with a synchronous standby', needing("Debian's postgresql", hasPostgresPair), () => {
  let pair: PostgresPair;
  let fleet: Fleet;
  let rest: Rest;
  let clients: ChaosClients;

  beforeAll(async () => {
    pair = await PostgresPair.start();
    fleet = await Fleet.start({ ...SMALL_MARKET, DATABASE_URL: pair.url });
    const { base_url } = await fleet.file();
    const { id: keyId, key } = await issueKey(fleet.stateDir);
    rest = new Rest(base_url, key);
    const app = { key, keyId, isLimited: false };
    const market = await readMarket(base_url, key);
    clients = new ChaosClients([base_url], { app, market, clients: 4, seed: 1 });
  });
  afterAll(async () => {
    // Do not wait: after a failed test the clients may never finish.
    void clients?.stop();
    await fleet?.stop();
    await pair?.remove();
  });

  test('a failover loses no accepted run, consent or key, and the services recover by themselves', async () => {
    const keys: string[] = [];
    const { runs, consents, cancelled } = clients.accepted;
    const enough = () => Math.min(runs.size, 4 * consents.size);
    await expect.poll(enough).toBeGreaterThan(20);
    for (let i = 0; i < 3; i++) keys.push((await issueKey(fleet.stateDir, 'data:read')).id);

    await pair.failOver();
    const before = runs.size;
    await expect.poll(() => runs.size).toBeGreaterThan(before);
    keys.push((await issueKey(fleet.stateDir, 'data:read')).id);
    await expect.poll(() => runs.size).toBeGreaterThan(before + 20);
    await clients.stop();

    expect([...clients.client.tally.breaches]).toEqual([]);
    const states = await settle(rest, [...runs.keys()]);
    const unexplained = [...states].filter(
      ([jobId, state]) => state !== 'succeeded' && !(state === 'failed' && cancelled.has(jobId)),
    );
    expect(unexplained).toEqual([]);
    for (const [table, column, ids] of [
      ['models.run', 'job_id', [...runs.keys()]],
      ['consent.consent_record', 'consent_id', [...consents.keys()]],
      ['keys.api_key', 'id', keys],
    ] as const) {
      const stored = await pair.rows<{ id: string }>(
        `select ${column} as id from ${table} where ${column} = any($1)`,
        [ids],
      );
      expect(stored.map(({ id }) => id).toSorted()).toEqual([...ids].toSorted());
    }
  });
});
