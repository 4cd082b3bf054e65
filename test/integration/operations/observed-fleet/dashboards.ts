import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { alertMetrics, metricsOf, panelQueries } from '#observability/queries.ts';
import { findOnPath } from '#local/processes/find-on-path.ts';
import { Rest } from '#support/rest/rest.ts';
import { scrapeFleet, sumOf } from '#support/fleets/scrape.ts';
import { PrometheusServer } from '#support/servers/prometheus.ts';
import { needing } from '#support/needing.ts';
import { observed } from './fleet.ts';

const hasPrometheus = findOnPath('prometheus') !== undefined;
const MODELS = ['confluence_filter', 'model_f_combined'];
let prometheus: PrometheusServer | undefined;

/** An application that is told how runs end. */
const application = createServer((_request, response) => response.writeHead(204).end());

async function createWebhook(): Promise<void> {
  await once(application.listen(0, '127.0.0.1'), 'listening');
  const { port } = application.address() as AddressInfo;
  const { base_url, demo_key } = await observed.fleet.file();
  const body = { url: `http://127.0.0.1:${port}/` };
  const { status } = await new Rest(base_url, demo_key).post('/api/v1/webhooks', body);
  expect(status).toBe(201);
}

/** Some of every kind of request: reads, runs, and refusals by the gateway and by services. */
async function load(): Promise<void> {
  const { base_url, demo_key } = await observed.fleet.file();
  const headers = { 'X-API-Key': demo_key, 'X-End-User': 'operator', 'Content-Type': 'application/json' };
  const get = (path: string) => fetch(`${base_url}${path}`, { headers }).then((response) => response.text());
  await get('/api/v1/data/market-overview');
  await get('/api/v1/data/brokers');
  await get('/api/v1/usage/events?limit=1');
  await get('/api/v1/jobs/job_000000000000000000000000');
  for (const model of MODELS) {
    const url = `${base_url}/api/v1/models/${model}/runs?wait=30`;
    const response = await fetch(url, { method: 'POST', headers, body: '{}' });
    expect(response.status).toBe(200);
    await response.text();
  }
}

beforeAll(async () => {
  const { ops } = await observed.fleet.file();
  const targets = Object.values(ops).map((url) => new URL(url).host);
  if (hasPrometheus) prometheus = await PrometheusServer.start(targets);
  await createWebhook();
  await load();
  // Prometheus shows rates only of counters that it has scraped at different heights.
  for (let round = 0; prometheus && round < 3; round++) {
    await sleep(2_500);
    await load();
  }
});
afterAll(() => {
  application.close();
  prometheus?.stop();
});

test('the fleet exports every metric that a panel or alert reads', async () => {
  const read = new Set([...panelQueries().flatMap(({ query }) => metricsOf(query)), ...alertMetrics()]);
  const missing = async () => {
    const shown = new Set((await scrapeFleet(await observed.fleet.file())).map(({ name }) => name));
    return [...read].filter((name) => !shown.has(name));
  };
  // Those of canaries appear when the first of them has come back.
  await expect.poll(missing).toEqual([]);
});

test('canary runs complete and appear in no usage list or analyst view', async () => {
  const { base_url, demo_key, clickhouse } = await observed.fleet.file();
  await expect
    .poll(async () =>
      sumOf(await scrapeFleet(await observed.fleet.file()), 'saring_canary_runs_total', { result: 'back' }),
    )
    .toBeGreaterThan(2);
  const headers = { 'X-API-Key': demo_key, 'X-End-User': 'operator' };
  const jobs = await (await fetch(`${base_url}/api/v1/usage/events?limit=200`, { headers })).text();
  expect(jobs).not.toContain('canary');
  const login = Buffer.from(`${clickhouse.analyst_user}:${clickhouse.analyst_password}`).toString('base64');
  const response = await fetch(clickhouse.url, {
    method: 'POST',
    headers: { Authorization: `Basic ${login}` },
    body: "SELECT count() FROM usage.run_v2 WHERE channel = 'canary' OR api_key_id = 'canary'",
  });
  expect((await response.text()).trim()).toBe('0');
});

test('no panel is empty on a fleet under load', needing("Debian's prometheus", hasPrometheus), async () => {
  const empty: string[] = [];
  for (const { of, query } of panelQueries())
    if ((await prometheus!.values(query)).length === 0) empty.push(of);
  expect(empty).toEqual([]);
});
