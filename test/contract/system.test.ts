import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, inject, test } from 'vitest';
import { ownTenant, newTenant, testOfOwnFleet } from '../support/fleets/contract.ts';
import { Rest } from '#support/rest/rest.ts';

const tenant = ownTenant('models:read');
const ownTest = testOfOwnFleet('stores, files and logs on this machine');
const anybody = () => new Rest(inject('baseUrl'));

test('health needs no key and reports loaded data and that market and broker data are synthetic', async () => {
  const { status, body } = await anybody().get<{
    data_loaded: boolean;
    synthetic: boolean;
    synthetic_brokers: boolean;
    dataset: { kind: string; version: string; broker_data: string; broker_rows: number };
  }>('/api/health');
  expect(status).toBe(200);
  expect(body.data_loaded).toBe(true);
  expect(body).toMatchObject({ synthetic: true, synthetic_brokers: true });
  expect(body.dataset).toMatchObject({ kind: 'synthetic', broker_data: 'synthetic' });
  expect(body.dataset.version).toMatch(/synthetic/);
  expect(body.dataset.broker_rows).toBeGreaterThan(0);
});

test('the scope table lists every scope', async () => {
  const { body } = await tenant.rest.get<{ scopes: { scope: string; grants: string }[] }>('/api/v1/scopes');
  expect(body.scopes.map((row) => row.scope)).toEqual([
    'models:read',
    'models:run',
    'data:read',
    'usage:read',
    'usage:admin',
    'screens:read',
    'screens:write',
    'webhooks:write',
    'events:read',
  ]);
});

test('a key can read its own permissions, but only the beginning of its secret', async () => {
  const own = await newTenant();
  const key = await own.client.key();
  expect(key).toMatchObject({
    id: own.keyId,
    name: 'test',
    rate_limit_per_minute: 1_000_000,
    expires_at: null,
  });
  expect(key.scopes).toContain('models:run');
  expect(own.key.startsWith(key.hint)).toBe(true);
  expect(JSON.stringify(key)).not.toContain(own.key);
});

test('every feature of a run has a description in both languages', async () => {
  const { client } = await newTenant();
  const features = await client.models.features();
  const words = new Map(features.map(({ name, ...of }) => [name, of]));
  const job = await client.runAndWait('model_f_combined', { params: { min_probability: 30 } });
  const { model } = job.result!.diag;
  expect(model.feature_names.filter((name) => !words.get(name)?.en || !words.get(name)?.id)).toEqual([]);
});

ownTest('no log line holds a secret', async () => {
  const logs = path.join(inject('stateDir'), 'logs');
  const secrets = Object.values(
    JSON.parse(await readFile(path.join(inject('stateDir'), 'secrets.json'), 'utf8')) as Record<
      string,
      string
    >,
  ).filter((value) => typeof value === 'string' && value.length >= 12);
  expect(secrets.length).toBeGreaterThan(4);
  for (const file of await readdir(logs)) {
    const text = await readFile(path.join(logs, file), 'utf8');
    for (const secret of secrets) expect(text.includes(secret), `${file} holds a secret`).toBe(false);
  }
});

test('the OpenAPI document and reference page need no key and load nothing from other hosts', async () => {
  const { body } = await anybody().get<{ openapi: string; paths: Record<string, unknown> }>(
    '/api/openapi.json',
  );
  expect(body.openapi).toMatch(/^3\.1/);
  expect(Object.keys(body.paths)).toContain('/api/v1/models/{model_id}/runs');
  const page = await fetch(`${inject('baseUrl')}/api/docs/`);
  expect(page.status).toBe(200);
  expect(await page.text()).not.toMatch(/(src|href)="https?:/);
});
