import { expect, test } from 'vitest';
import { ownFleet } from '#support/broken-fleet.ts';
import { submitRun, type JobBody } from '#support/jobs.ts';

const own = ownFleet();

test('a finished job whose result is gone from memory answers 200 from the ledger, with its summary', async () => {
  const live = await submitRun(own.rest, {}, '?wait=30');
  expect(live).toMatchObject({ status: 'succeeded', result_available: true });
  await own.fleet.kill9('nats');
  await expect
    .poll(async () => (await own.rest.get<JobBody>(`/api/v1/jobs/${live.job_id}`)).body.source, {
      timeout: 15_000,
    })
    .toBe('ledger');
  const { status, body } = await own.rest.get<JobBody>(`/api/v1/jobs/${live.job_id}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 'succeeded', result_available: false, summary: live['summary'] });
  expect(body).not.toHaveProperty('result');
  const listed = await own.rest.get<{ jobs: JobBody[] }>('/api/v1/jobs');
  expect(listed.body.jobs[0]).toMatchObject({
    job_id: live.job_id,
    source: 'ledger',
    result_available: false,
  });
});
