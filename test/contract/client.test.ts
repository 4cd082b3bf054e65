import { expect, inject, onTestFinished, test } from 'vitest';
import { resultOf, SaringClient, type ClientOptions, type Job } from '#client/index.ts';
import { freePort } from '#local/state/ports.ts';
import { newTenant, ownTenant, testOfOwnFleet, type Tenant } from '../support/fleets/contract.ts';
import { fleetFileIn } from '../support/fleets/fleet.ts';
import { startSecondGateway } from '../support/fleets/second-gateway.ts';

const tenant = ownTenant();
const ownTest = testOfOwnFleet('gateways beside its own');

/** A client with that key, and the paths that it requests. */
function watchedClient({ key }: Tenant, options: Partial<ClientOptions> = {}) {
  const { fetch: response = fetch, ...others } = options;
  const requested: string[] = [];
  const client = new SaringClient({
    baseUrl: inject('baseUrl'),
    apiKey: key,
    endUser: 'tester',
    ...others,
    fetch: (request) => {
      requested.push(`${request.method} ${new URL(request.url).pathname.replace(/job_\w+/, '…')}`);
      return response(request);
    },
  });
  return { client, asked: requested };
}

async function statesOf(jobs: AsyncIterable<Job>): Promise<string[]> {
  const states: string[] = [];
  for await (const { status } of jobs) states.push(status);
  return states;
}

test('the client follows a job by its event stream alone', async () => {
  const { client, asked: requested } = watchedClient(tenant);
  const { job_id } = await client.runs.submit('confluence_filter');
  const states = await statesOf(client.jobs.follow(job_id));
  expect(states.at(-1)).toBe('succeeded');
  expect(new Set(states).size).toBe(states.length);
  expect(requested).toEqual(['POST /api/v1/models/confluence_filter/runs', 'GET /api/v1/jobs/…/events']);
});

test('the client falls back to polling when there is no event stream', async () => {
  const noEvents = async (request: Request) =>
    request.url.endsWith('/events') ? new Response('Not Found', { status: 404 }) : fetch(request);
  const { client, asked: requested } = watchedClient(tenant, { fetch: noEvents });
  const { job_id } = await client.runs.submit('confluence_filter');
  const job = await client.jobs.wait(job_id);
  expect(job).toMatchObject({ job_id, status: 'succeeded', result_available: true });
  expect(resultOf(job)).toHaveProperty('df_result');
  expect(requested).toContain('GET /api/v1/jobs/…');
});

test('the client retries a submission whose answer was lost, and it runs once', async () => {
  const own = await newTenant();
  let lost = 0;
  const losing = async (request: Request) => {
    const response = await fetch(request);
    if (request.method !== 'POST' || lost++ > 0) return response;
    throw new TypeError('the connection broke');
  };
  const { client, asked: requested } = watchedClient(own, { fetch: losing });
  const job = await client.runAndWait('confluence_filter', { params: { lookback: 3 } });
  expect(job.status).toBe('succeeded');
  expect(requested.filter((request) => request.startsWith('POST'))).toHaveLength(2);
  expect((await own.client.jobs.list()).map(({ job_id }) => job_id)).toEqual([job.job_id]);
});

ownTest('a run is followed through a restart of its gateway', async () => {
  const own = await newTenant();
  const fleet = await fleetFileIn(inject('stateDir'));
  const PORT = String(await freePort());
  let gateway = await startSecondGateway(fleet, { PORT });
  onTestFinished(() => gateway.stop());
  const { client } = watchedClient(own, { baseUrl: gateway.baseUrl });
  const running = client.runAndWait('model_f_combined', { view: 'compact' });
  await expect
    .poll(async () => (await own.client.jobs.list()).length, { interval: 20, timeout: 10_000 })
    .toBe(1);
  await gateway.stop();
  gateway = await startSecondGateway(fleet, { PORT });
  const job = await running;
  expect(resultOf(job)).toMatchObject({ model_id: 'model_f_combined', view: 'compact' });
  expect((await own.client.jobs.list()).map(({ job_id }) => job_id)).toEqual([job.job_id]);
});
