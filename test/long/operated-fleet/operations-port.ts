import { expect, test } from 'vitest';
import { serviceTable } from '#local/configuration/service-table.ts';
import { waitFor } from '#platform/process/waiting.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { scrape, scrapeFleet, sumOf } from '#support/fleets/scrape.ts';
import { own } from './fleet.ts';

const log = createLogger('test', 'silent');
const MODEL = 'confluence_filter';

const read = async (url: string) => {
  const response = await fetch(url);
  return { status: response.status, body: await response.json() };
};

/** Waits until the process reports this status; otherwise fails with its last response. */
function becomes(name: string, status: number): Promise<{ reasons: string[] }> {
  return waitFor(
    'readiness',
    async () => {
      const { ops } = await own.fleet.file();
      const reply = await read(`${ops[name]}/readyz`);
      if (reply.status !== status) throw new Error(`${name}: ${JSON.stringify(reply)}`);
      return reply.body as { reasons: string[] };
    },
    { log, patienceMs: () => 90_000 },
  );
}

test('every process of a fleet has an operations port, is live, and becomes ready', async () => {
  const { ops } = await own.fleet.file();
  expect(Object.keys(ops).toSorted()).toEqual(
    serviceTable({ workers: 1 })
      .map(({ name }) => name)
      .toSorted(),
  );
  for (const [name, url] of Object.entries(ops)) {
    expect({ name, ...(await read(`${url}/livez`)) }).toMatchObject({ status: 200, body: { live: true } });
    // A process may be ready before the optional parts that it needs work, so wait until nothing is degraded.
    const ready = { ready: true, reasons: [], degraded: [] };
    await expect.poll(async () => (await read(`${url}/readyz`)).body, { message: name }).toEqual(ready);
  }
});

test('unknown paths are 404 and other methods 405', async () => {
  const { ops } = await own.fleet.file();
  expect((await read(`${ops['keys']}/nothing`)).status).toBe(404);
  expect((await fetch(`${ops['keys']}/livez`, { method: 'POST' })).status).toBe(405);
});

test('a run is counted by route, method, state and stage', async () => {
  const { base_url, demo_key } = await own.fleet.file();
  const before = await scrapeFleet(await own.fleet.file());
  const headers = { 'X-API-Key': demo_key, 'X-End-User': 'operator', 'Content-Type': 'application/json' };
  const path = `/api/v1/models/${MODEL}/runs?wait=30`;
  const reply = await fetch(`${base_url}${path}`, { method: 'POST', headers, body: '{}' });
  expect(reply.status).toBe(200);
  await fetch(`${base_url}/api/v1/models/no_such_model`, { headers });
  const risen = async (name: string, labels: Record<string, string>) =>
    (sumOf(await scrapeFleet(await own.fleet.file()), name, labels) ?? 0) -
    (sumOf(before, name, labels) ?? 0);

  /** Counters of work after the response rise a moment later. */
  const expectRisenByOne = (name: string, labels: Record<string, string>) =>
    expect.poll(() => risen(name, labels), { message: `${name} ${JSON.stringify(labels)}` }).toBe(1);

  const route = '/api/v1/models/{model_id}/runs';
  await expectRisenByOne('saring_http_request_duration_seconds_count', {
    method: 'POST',
    route,
    status: '2xx',
  });
  await expectRisenByOne('saring_http_errors_total', { code: 'model_not_found' });
  const method = 'saring.models.v1.RunsService/SubmitRun';
  await expectRisenByOne('saring_grpc_request_duration_seconds_count', { method });
  for (const state of ['queued', 'succeeded'])
    await expectRisenByOne('saring_runs_total', { model: MODEL, state });
  // A run whose end arrives before its start was never stored as running.
  expect(await risen('saring_runs_total', { model: MODEL, state: 'running' })).toBeLessThanOrEqual(1);
  await expectRisenByOne('saring_run_duration_seconds_count', { model: MODEL, state: 'succeeded' });
  await expectRisenByOne('saring_run_stage_duration_seconds_count', { model: MODEL, stage: 'selection' });
  await waitFor(
    'the ledger',
    async () => {
      const rows = await risen('saring_usage_rows_total', { status: 'succeeded' });
      if (rows < 1) throw new Error(`${rows} rows`);
    },
    { log, patienceMs: () => 10_000 },
  );
});

test('metric labels are templates and codes, so clients cannot create new series', async () => {
  const { base_url, demo_key, ops } = await own.fleet.file();
  const series = async () =>
    (await scrape(ops['gateway']!)).filter(({ name }) => name.startsWith('saring_http')).length;
  const ask = async (id: number) => {
    const headers = { 'X-API-Key': demo_key, 'X-End-User': `user-${id}` };
    await fetch(`${base_url}/api/v1/jobs/job_${id}`, { headers });
    await fetch(`${base_url}/api/v1/unknown-${id}`, { headers });
    await fetch(`${base_url}/nowhere/${id}`, { method: 'PROPFIND' });
  };
  await ask(0);
  const before = await series();
  for (let id = 1; id <= 20; id++) await ask(id);
  expect(await series()).toBe(before);
});

test('a process whose database server is frozen stays live and says why it is not ready', async () => {
  const { pids, ops } = await own.fleet.file();
  process.kill(pids['clickhouse']!, 'SIGSTOP');
  const { reasons } = await becomes('usage', 503);
  expect(reasons).toEqual([expect.stringMatching(/^ClickHouse: /)]);
  expect((await read(`${ops['usage']}/livez`)).status).toBe(200);
  // The supervisor starts another process.
  await becomes('usage', 200);
});
