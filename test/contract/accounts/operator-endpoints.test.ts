import { beforeAll, expect, inject, test } from 'vitest';
import { SaringClient } from '#client/index.ts';
import { newTenant, testOfOwnFleet } from '#support/fleets/contract.ts';
import { fleetFileIn, type FleetFile } from '#support/fleets/fleet.ts';
import { KeyIssuer } from '#support/fleets/issued-keys.ts';

const ownTest = testOfOwnFleet('processes by name');
let file: FleetFile;
let operator: SaringClient['operator'];
beforeAll(async () => {
  file = await fleetFileIn(inject('stateDir'));
  const asOperator = { baseUrl: inject('baseUrl'), apiKey: file.operator_token, retries: 0 };
  ({ operator } = new SaringClient(asOperator));
});

ownTest('every process of the fleet is shown, ready', async () => {
  const processes = await operator.processes();
  expect(processes.map(({ name }) => name)).toEqual(Object.keys(file.ops));
  for (const { name, state, reasons, memory_bytes, started_at, version } of processes) {
    expect({ name, state, reasons }).toEqual({ name, state: 'ready', reasons: [] });
    expect(memory_bytes).toBeGreaterThan(10_000_000);
    expect(Date.parse(started_at!)).toBeLessThan(Date.now());
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
  }
});

test('a run appears in the queue points and in the usage of its key', async () => {
  const { client, keyId } = await newTenant();
  await client.runAndWait('confluence_filter');
  const { points } = await operator.queue({ minutes: 60 });
  expect(points).toHaveLength(60);
  const ended = points.filter((point) => point.ended > 0);
  expect(ended.length).toBeGreaterThan(0);
  expect(ended.at(-1)!.duration_p50_seconds).toBeGreaterThan(0);
  await expect
    .poll(async () => (await operator.usageByKey()).find((key) => key.api_key_id === keyId)?.runs)
    .toBe(1);
  const { rows, total_runs } = await operator.usageSummary({ group_by: 'day', api_key_id: keyId });
  expect({ total_runs, days: rows.length }).toEqual({ total_runs: 1, days: 1 });
});

test('keys are listed without their secrets, and the audit shows who made each change', async () => {
  const issuer = await KeyIssuer.of(inject('stateDir'));
  const { id, key } = await issuer.disabled(['models:read']);
  issuer.close();
  const keys = await operator.keys();
  expect(keys.find((listed) => listed.id === id)).toMatchObject({ disabled: true, scopes: ['models:read'] });
  expect(JSON.stringify(keys)).not.toContain(key);
  const actions = await operator.keyActions({ key_id: id });
  expect(actions.map(({ action }) => action)).toEqual(['disabled', 'created']);
  expect(await operator.keyActions({ limit: 1 })).toHaveLength(1);
});

test('the dataset list names the served version, its history and its rejected rows', async () => {
  const { datasets, served_version } = await operator.datasets();
  const served = datasets.find(({ version }) => version === served_version)!;
  const rows = await operator.rejectedRows(served_version, { limit: 1_000 });
  expect(rows).toHaveLength(Math.min(1_000, served.rejected_rows));
  const [latest] = await operator.servedDatasets({ limit: 1 });
  expect(latest).toMatchObject({ version: served_version, is_published: true });
});
