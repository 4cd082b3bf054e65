import { expect, inject, test } from 'vitest';
import { ownTenant } from '#support/fleets/contract.ts';
import { readEvents, type ReadEvents } from '#support/rest/event-reader.ts';
import { submitRun, type JobBody } from '#support/rest/jobs.ts';

const tenant = ownTenant();
const pathOf = (jobId: string) => `/api/v1/jobs/${jobId}/events`;
const open = (jobId: string, lastEventId?: string) =>
  readEvents(inject('baseUrl') + pathOf(jobId), {
    key: tenant.key,
    ...(lastEventId !== undefined && { lastEventId }),
  });
const reported = ({ events }: ReadEvents) => events.map(({ data }) => JSON.parse(data) as JobBody);

test('the stream reports a run from acceptance to its end, when its result is available', async () => {
  const { job_id } = await submitRun(tenant.rest);
  const stream = await open(job_id);
  await stream.ended;
  const jobs = reported(stream);
  const statuses = jobs.map(({ status }) => status);
  expect(statuses.at(-1)).toBe('succeeded');
  expect(['queued', 'running', 'succeeded'].filter((status) => statuses.includes(status))).toEqual(statuses);
  expect(stream.events.map(({ id, event }) => [id, event])).toEqual(
    statuses.map((status) => [status, 'status']),
  );
  for (const job of jobs) expect(job).not.toHaveProperty('result');
  const { result, evidence, ...rest } = (await tenant.rest.get<JobBody>(`/api/v1/jobs/${job_id}`)).body;
  expect(jobs.at(-1)).toEqual(rest);
  expect(rest).toMatchObject({ result_available: true });
  expect(result).toBeDefined();
  expect(evidence).toMatchObject({ verdict: 'worse', market: 'real' });
});

test('the stream reports a failed run with its message', async () => {
  const { job_id } = await submitRun(tenant.rest, { analysis_date: '1990-01-02' });
  const stream = await open(job_id);
  await stream.ended;
  expect(reported(stream).at(-1)).toMatchObject({
    status: 'failed',
    result_available: false,
    error: { message: expect.stringMatching(/.+/) as string },
  });
});

test('a stream counts as one request against the rate limit', async () => {
  const { job_id } = await submitRun(tenant.rest, {}, '?wait=30');
  const remaining = async () => {
    const { headers } = await tenant.rest.get('/api/v1/models');
    return Number(headers.get('x-ratelimit-remaining'));
  };
  const before = await remaining();
  const stream = await open(job_id);
  await stream.ended;
  expect(stream.headers['x-ratelimit-remaining']).toBe(String(before - 1));
  expect(await remaining()).toBe(before - 2);
});
