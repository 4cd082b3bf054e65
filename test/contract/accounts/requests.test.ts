import { expect, test } from 'vitest';
import type { Schemas } from '#client/index.ts';
import { ownTenant } from '#support/fleets/contract.ts';

const tenant = ownTenant();
const other = ownTenant();

const groups = async (of = tenant, query = '') =>
  (await of.rest.get<Schemas['RequestSummary']>(`/api/v1/usage/requests${query}`)).body.rows;
const groupOf = (rows: readonly Schemas['RequestGroup'][], operation: string | null, status: number) =>
  rows.find(({ operation_id, status: answered }) => operation_id === operation && answered === status);
/** Counts are handed over every few seconds. */

test('requests of a key are counted by operation and outcome, refused ones too, and those of another key are not', async () => {
  for (let n = 0; n < 3; n++) await tenant.rest.get('/api/v1/data/stocks?limit=1');
  const refused = await tenant.rest.get('/api/v1/data/stocks?limit=none');
  await tenant.rest.get('/api/v1/nowhere');
  await other.rest.get('/api/v1/data/stocks?limit=1');
  await expect.poll(async () => groupOf(await groups(), 'listStocks', 200)?.requests).toBe(3);
  await expect.poll(async () => groupOf(await groups(), null, 404)?.requests).toBe(1);
  const rows = await groups();
  expect(groupOf(rows, 'listStocks', 422)).toMatchObject({
    code: 'invalid_request',
    requests: 1,
    last_request_id: refused.headers.get('x-request-id'),
  });
  const { mean_ms, slowest_ms } = groupOf(rows, 'listStocks', 200)!;
  expect(mean_ms).toBeGreaterThan(0);
  expect(slowest_ms).toBeGreaterThanOrEqual(mean_ms);
  await expect.poll(async () => groupOf(await groups(other), 'listStocks', 200)?.requests).toBe(1);
});

test('only requests of the period are counted', async () => {
  await expect.poll(async () => (await groups()).length).toBeGreaterThan(0);
  expect(await groups(tenant, '?until=2020-01-01')).toEqual([]);
  expect(await groups(tenant, '?since=2100-01-01')).toEqual([]);
});
