import { expect, inject, onTestFinished } from 'vitest';
import { resultOf, SaringClient } from '#client/index.ts';
import { freePort } from '#local/state/ports.ts';
import { newTenant, testOfOwnFleet } from '../support/fleets/contract.ts';
import { fleetFileIn } from '../support/fleets/fleet.ts';
import { startSecondGateway } from '../support/fleets/second-gateway.ts';

const test = testOfOwnFleet('gateways beside its own');

test('a run is followed through a restart of its gateway', async () => {
  const own = await newTenant();
  const fleet = await fleetFileIn(inject('stateDir'));
  const PORT = String(await freePort());
  let gateway = await startSecondGateway(fleet, { PORT });
  onTestFinished(() => gateway.stop());
  const client = new SaringClient({ baseUrl: gateway.baseUrl, apiKey: own.key, endUser: 'tester' });
  const running = client.runAndWait('model_f_combined', { view: 'compact' });
  await expect.poll(async () => (await own.client.jobs.list()).length, { interval: 20 }).toBe(1);
  await gateway.stop();
  gateway = await startSecondGateway(fleet, { PORT });
  const job = await running;
  expect(resultOf(job)).toMatchObject({ model_id: 'model_f_combined', view: 'compact' });
  expect((await own.client.jobs.list()).map(({ job_id }) => job_id)).toEqual([job.job_id]);
});
