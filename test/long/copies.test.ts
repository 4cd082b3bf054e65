import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ChaosClients } from '../chaos/clients.ts';
import { createSchedules, SCHEDULES } from '../chaos/schedules.ts';
import { readMarket } from '#support/load/known-market.ts';
import { ledgerFaults, settle, type BrokenFleet } from '#support/fleets/broken-fleet.ts';
import { Fleet, SEPARATE, SMALL_MARKET } from '#support/fleets/fleet.ts';
import { issueKey } from '#support/fleets/issued-keys.ts';
import { Rest } from '#support/rest/rest.ts';
import { COPIED, SecondCopies } from '#support/fleets/second-copies.ts';
import { startSecondGateway, type SecondGateway } from '#support/fleets/second-gateway.ts';
import { servedDataset } from '#support/rest/served-dataset.ts';
import { addDay, fileOfNextDay, stocksOfLastDay } from '#support/markets/next-day.ts';
import { keysClient } from '#support/processes/service-process.ts';

const LABELS = 6;
const PAUSE_MS = 300;
const RETRY_MS = 200;
const DONE_WITHIN_MS = 30_000;
const UNCHANGED = { scopes: [], never_expires: false, expires_at: undefined };

let own: BrokenFleet;
let key: string;
let copies: SecondCopies;
let gateway: SecondGateway;
let database: pg.Client;

beforeAll(async () => {
  const fleet = await Fleet.start({ ...SMALL_MARKET, ...SEPARATE, WORKERS: '1' });
  const issued = await issueKey(fleet.stateDir);
  key = issued.key;
  const file = await fleet.file();
  own = { fleet, rest: new Rest(file.base_url, key), keyId: issued.id };
  copies = await SecondCopies.start(fleet);
  gateway = await startSecondGateway({ ...file, addresses: copies.addresses });
  database = new pg.Client(await fleet.superuserUrl());
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await gateway?.stop();
  await copies?.stop();
  await own?.fleet.stop();
});

/** Retries until it works, because the called process may have just been killed. */
async function untilDone<T>(work: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + DONE_WITHIN_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > giveUpAt) throw error;
      await sleep(RETRY_MS);
    }
  }
}

/** Sets labels on one key through both copies of the keys service at the same time. */
async function labelKey(keyId: string): Promise<void> {
  const { addresses, operator_token: operatorToken } = await own.fleet.file();
  const call = { requestId: 'req_test', operatorToken, actor: 'tester' };
  const setting = [addresses.keys, copies.addresses.keys].map(async (address, copy) => {
    const client = keysClient(address);
    for (let label = 0; label < LABELS; label++) {
      const labels = { [`copy${copy}-${label}`]: 'set' };
      await untilDone(() => client.updateKey({ id: keyId, labels, ...UNCHANGED }, call));
    }
    client.close();
  });
  await Promise.all(setting);
}

const count = async (query: string, values: unknown[] = []) =>
  Number((await database.query<{ n: string }>(query, values)).rows[0]!.n);

test('killing two replicas of every service in turn under load loses and duplicates nothing and fires each schedule once', async () => {
  const { base_url } = await own.fleet.file();
  const market = await readMarket(base_url, key);
  const app = { key, keyId: own.keyId, isLimited: false };
  const behind = [base_url, gateway.baseUrl].map(
    (url, seed) => new ChaosClients([url], { app, market, clients: 2, seed }),
  );
  const other = await issueKey(own.fleet.stateDir, 'data:read');
  await createSchedules(own.fleet, own.keyId);
  const stocks = await stocksOfLastDay(own.rest);
  const { last_date } = await servedDataset(own.rest);
  const file = await fileOfNextDay(last_date, stocks, own.fleet.stateDir);

  const labelling = labelKey(other.id);
  for (const name of COPIED) {
    await copies.restart(name);
    await sleep(PAUSE_MS);
    await own.fleet.kill9(name === 'model-worker' ? 'model-worker-1' : name);
    // Add the day while the scheduler's first process is being replaced.
    if (name === 'scheduler') await addDay(own.fleet.stateDir, file);
    await sleep(PAUSE_MS);
  }
  await labelling;
  for (const clients of behind) await clients.stop();

  const accepted = behind.flatMap((clients) => [...clients.accepted.runs.keys()]);
  const consents = behind.flatMap((clients) => [...clients.accepted.consents.keys()]);
  expect(behind.flatMap(({ client }) => [...client.tally.breaches])).toEqual([]);
  expect(Math.min(...behind.map((clients) => clients.accepted.runs.size))).toBeGreaterThan(5);
  const states = await settle(own.rest, accepted);
  const cancelled = new Set(behind.flatMap((clients) => [...clients.accepted.cancelled]));
  const endsWell = (jobId: string, state: string) =>
    ['succeeded', 'interrupted'].includes(state) || (state === 'failed' && cancelled.has(jobId));
  expect([...states].filter(([jobId, state]) => !endsWell(jobId, state))).toEqual([]);
  const stored = 'select count(*) as n from consent.consent_record where consent_id = any($1)';
  expect(await count(stored, [consents])).toBe(consents.length);
  const labels = 'select count(*) as n from keys.api_key, jsonb_object_keys(labels) where id = $1';
  expect(await count(labels, [other.id])).toBe(2 * LABELS);

  const firings = "select count(*) as n from models.run where channel = 'scheduled'";
  await expect.poll(() => count(firings)).toBe(SCHEDULES);
  const scheduled = await database.query<{ job_id: string }>(
    "select job_id from models.run where channel = 'scheduled'",
  );
  const everything = [...accepted, ...scheduled.rows.map(({ job_id }) => job_id)];
  await expect
    .poll(() => ledgerFaults(own, everything).catch(() => undefined))
    .toEqual({ doubled: 0, open: 0, missing: 0 });
  expect(await count(firings)).toBe(SCHEDULES);
});
