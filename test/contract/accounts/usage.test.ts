import { expect, test } from 'vitest';
import type { SaringClient, Schemas } from '#client/index.ts';
import { newTenant } from '#support/fleets/contract.ts';

const MODEL = 'confluence_filter';
const page = (client: SaringClient, filters = {}) => client.usage.events(filters).first();

test('each run is recorded once, with its parameters and outcome', async () => {
  const { client } = await newTenant();
  const { data: job, headers } = await client.rest.request('post', '/api/v1/models/{model_id}/runs', {
    path: { model_id: MODEL },
    query: { wait: 60 },
    body: { params: { lookback: 3 } },
  });
  await expect.poll(async () => (await page(client)).events[0]?.status).toBe('succeeded');
  const { events, ...envelope } = await page(client);
  expect(envelope).toEqual({ count: 1, has_more: false, next_cursor: null });
  expect(events[0]).toMatchObject({
    event_id: expect.stringMatching(/^ue_[0-9a-f]+$/) as string,
    ts: expect.stringMatching(/\+07:00$/) as string,
    channel: 'api',
    end_user: 'tester',
    model_id: 'confluence_filter',
    params: job.params,
    status: 'succeeded',
    duration_seconds: job.duration_seconds,
    summary: job.summary,
    job_id: job.job_id,
    request_id: headers.get('x-request-id'),
  });
  expect(events[0]).not.toHaveProperty('api_key_id');
  expect(await client.usage.event(events[0]!.event_id)).toEqual(events[0]);
});

test('paging visits every event once, newest first', async () => {
  const { client } = await newTenant();
  const jobs = await Promise.all(Array.from({ length: 7 }, () => client.runAndWait(MODEL)));
  const succeeded = async () => (await page(client, { status: 'succeeded' })).count;
  await expect.poll(succeeded).toBe(7);
  const seen: Schemas['UsageEvent'][] = [];
  const counts: number[] = [];
  for await (const { events, count, has_more, next_cursor } of client.usage.events({ limit: 3 }).pages()) {
    seen.push(...events);
    counts.push(count);
    expect(has_more).toBe(next_cursor !== null);
  }
  expect(counts).toEqual([3, 3, 1]);
  expect(seen.map((event) => event.job_id).toSorted()).toEqual(jobs.map((job) => job.job_id).toSorted());
  expect(seen.map((event) => event.ts)).toEqual(
    seen
      .map((event) => event.ts)
      .toSorted()
      .toReversed(),
  );
});

test('filters narrow the page by end user, model, status and time', async () => {
  const { client } = await newTenant();
  await client.runAndWait(MODEL);
  const succeeded = async () => (await page(client, { status: 'succeeded' })).count;
  await expect.poll(succeeded).toBe(1);
  const day = (await page(client)).events[0]!.ts.slice(0, 10);
  const wide = [
    { end_user: 'tester' },
    { model_id: MODEL },
    { since: day },
    { until: day },
    { since: '1000000000' },
  ];
  for (const filters of wide) expect((await page(client, filters)).count, JSON.stringify(filters)).toBe(1);
  const narrow = [
    { end_user: 'other' },
    { model_id: 'recovery_v4' },
    { status: 'failed' },
    { since: '2100-01-01' },
    { until: '2020-01-01' },
  ];
  for (const filters of narrow) expect((await page(client, filters)).count, JSON.stringify(filters)).toBe(0);
});
