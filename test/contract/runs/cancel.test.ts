import { expect, test } from 'vitest';
import { CANCELLED as REASON } from '#models/inputs/run-errors.ts';
import { newTenant, ownTenant } from '#support/fleets/contract.ts';
import { pollUntilFinal, submitRun, submitRunOf, type JobBody } from '#support/rest/jobs.ts';
import type { Rest } from '#support/rest/rest.ts';

const tenant = ownTenant();

const cancel = (
  jobId: string,
  { rest = tenant.rest, body }: { rest?: Rest; body?: string | undefined } = {},
) => rest.post<JobBody>(`/api/v1/jobs/${jobId}/cancel`, body);

const isOf =
  ({ job_id }: JobBody) =>
  (one: { job_id: string }) =>
    one.job_id === job_id;

/** Time limit for a run to appear in the ledger. */

const CANCELLED = { status: 'failed', error: { message: REASON.in.id }, result_available: false };

test('cancelling a queued run ends it at once, in its job, the job list and the usage history', async () => {
  const { rest } = await newTenant();
  // More runs than workers, each of which trains a new model, so that some are still queued.
  const learning = Array.from({ length: 8 }, (_, i) =>
    submitRunOf(rest, 'model_f_combined', { target_gain: 0.105 + i / 1_000 }),
  );
  const responses = await Promise.all(learning.map(async (job) => cancel((await job).job_id, { rest })));
  const { status, body } = responses.find((response) => response.body['started_at'] === null)!;
  expect(status).toBe(200);
  expect(body).toMatchObject({ ...CANCELLED, duration_seconds: 0, source: 'ledger' });
  const target_date = (body['params'] as { analysis_date: string }).analysis_date;
  expect(body['summary']).toEqual({ pick_count: 0, tickers: [], target_date });
  expect(body['finished_at']).toMatch(/\+07:00$/);
  for (const { body: job } of responses) {
    const end = await pollUntilFinal(rest, job.job_id);
    if (end.status !== 'succeeded') expect(end).toMatchObject(CANCELLED);
    if (job.job_id === body.job_id) expect(end).toEqual(body);
  }
  const { body: again } = await rest.get<JobBody>(`/api/v1/jobs/${body.job_id}`);
  expect(again).toEqual(body);
  const { body: list } = await rest.get<{ jobs: JobBody[] }>('/api/v1/jobs');
  // Lists tell of runs and not of the market.
  const { freshness: _, ...listed } = body as JobBody & { freshness?: unknown };
  expect(list.jobs.find(isOf(body))).toEqual(listed);
  const event = async () => {
    const { body: page } = await rest.get<{ events: { job_id: string }[] }>('/api/v1/usage/events');
    return page.events.find(isOf(body));
  };
  await expect.poll(event).toMatchObject({ status: 'failed', duration_seconds: 0 });
});

test('cancelling a running run ends it soon, as cancelled or with the result it just reached', async () => {
  const { job_id } = await submitRunOf(tenant.rest, 'regime_adaptive_v6', {});
  const status = async () => (await tenant.rest.get<JobBody>(`/api/v1/jobs/${job_id}`)).body.status;
  await expect.poll(status).not.toBe('queued');
  const response = await cancel(job_id);
  expect([200, 202]).toContain(response.status);
  expect(response.status === 202).toBe(response.body.status === 'running');
  const location = response.status === 202 ? `/api/v1/jobs/${job_id}` : null;
  expect(response.headers.get('location')).toBe(location);
  const end = await pollUntilFinal(tenant.rest, job_id);
  if (end.status !== 'succeeded')
    expect(end).toMatchObject({ ...CANCELLED, summary: { pick_count: 0, tickers: [] } });
  expect(await cancel(job_id)).toMatchObject({ status: 200, body: { status: end.status } });
});

test('cancelling a succeeded run returns the job unchanged, with its result, whatever body is sent', async () => {
  const job = await submitRun(tenant.rest, {}, '?wait=30');
  for (const sent of [undefined, '{}', 'nonsense']) {
    const { status, body, headers } = await cancel(job.job_id, { body: sent });
    expect([status, body.status, body.result]).toEqual([200, 'succeeded', job.result]);
    expect(headers.get('x-dataset-version')).toMatch(/^synthetic-/);
    expect([headers.get('location'), headers.get('retry-after')]).toEqual([null, null]);
  }
});
