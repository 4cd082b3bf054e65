import { expect, test } from 'vitest';
import { newTenant, ownTenant } from '#support/contract.ts';
import { submitRun } from '#support/jobs.ts';
import { errorCode, type Rest } from '#support/rest.ts';

const tenant = ownTenant();
interface Event {
  event_id: string;
  ts: string;
  job_id: string;
  status: string;
}
interface Page {
  events: Event[];
  count: number;
  next_cursor: string | null;
  has_more: boolean;
}
const EVENTS = '/api/v1/usage/events';
const events = async (rest: Rest, query = '') => (await rest.get<Page>(EVENTS + query)).body;

test('each run is recorded once, with what the model received and what it came to', async () => {
  const { rest } = await newTenant();
  const job = await submitRun(rest, { lookback: 3 }, '?wait=30');
  await expect.poll(async () => (await events(rest)).events[0]?.status, { timeout: 2_000 }).toBe('succeeded');
  const page = await events(rest);
  expect(page).toMatchObject({ count: 1, has_more: false, next_cursor: null });
  expect(page.events[0]).toMatchObject({
    event_id: expect.stringMatching(/^ue_[0-9a-f]+$/) as string,
    ts: expect.stringMatching(/\+07:00$/) as string,
    channel: 'api',
    end_user: 'tester',
    model_id: 'confluence_filter',
    params: job['params'],
    status: 'succeeded',
    duration_seconds: job['duration_seconds'],
    summary: job['summary'],
    job_id: job.job_id,
    request_id: expect.stringMatching(/^req_/) as string,
  });
  expect(page.events[0]).not.toHaveProperty('api_key_id');
  const one = await rest.get(`${EVENTS}/${page.events[0]!.event_id}`);
  expect(one.body).toEqual(page.events[0]);
});

test('pages lead through every event once, newest first', async () => {
  const { rest } = await newTenant();
  const jobs = await Promise.all(Array.from({ length: 7 }, () => submitRun(rest, {}, '?wait=30')));
  await expect.poll(async () => (await events(rest, '?status=succeeded')).count, { timeout: 3_000 }).toBe(7);
  const seen: Event[] = [];
  let page = await events(rest, '?limit=3');
  for (;;) {
    seen.push(...page.events);
    expect(page.has_more).toBe(page.next_cursor !== null);
    if (!page.has_more) break;
    page = await events(rest, `?limit=3&cursor=${encodeURIComponent(page.next_cursor!)}`);
  }
  expect(seen.map((event) => event.job_id).toSorted()).toEqual(jobs.map((job) => job.job_id).toSorted());
  expect(seen.map((event) => event.ts)).toEqual(
    seen
      .map((event) => event.ts)
      .toSorted()
      .toReversed(),
  );
});

test('filters narrow the page, by end user, model, status and time', async () => {
  const { rest } = await newTenant();
  await submitRun(rest, {}, '?wait=30');
  await expect.poll(async () => (await events(rest, '?status=succeeded')).count, { timeout: 2_000 }).toBe(1);
  const day = (await events(rest)).events[0]!.ts.slice(0, 10);
  for (const query of [
    'end_user=tester',
    'model_id=confluence_filter',
    `since=${day}`,
    `until=${day}`,
    'since=0',
  ]) {
    expect((await events(rest, `?${query}`)).count, query).toBe(1);
  }
  for (const query of [
    'end_user=other',
    'model_id=recovery_v4',
    'status=failed',
    'since=2100-01-01',
    'until=2020-01-01',
  ]) {
    expect((await events(rest, `?${query}`)).count, query).toBe(0);
  }
});

test('an event of another key is 404 usage_event_not_found', async () => {
  const other = await newTenant();
  await submitRun(other.rest, {}, '?wait=30');
  await expect.poll(async () => (await events(other.rest)).count, { timeout: 2_000 }).toBe(1);
  const id = (await events(other.rest)).events[0]!.event_id;
  for (const unknown of [id, 'ue_000000000000000000000000', 'nonsense']) {
    const answer = await tenant.rest.get(`${EVENTS}/${unknown}`);
    expect([answer.status, errorCode(answer)]).toEqual([404, 'usage_event_not_found']);
  }
});

test('a cursor that was not issued for this key and these filters is 422 invalid_cursor', async () => {
  const { rest } = await newTenant();
  await submitRun(rest, {}, '?wait=30');
  await submitRun(rest, {}, '?wait=30');
  await expect.poll(async () => (await events(rest)).count, { timeout: 2_000 }).toBe(2);
  const { next_cursor } = await events(rest, '?limit=1');
  const cursor = encodeURIComponent(next_cursor!);
  const refused = [
    await rest.get(`${EVENTS}?cursor=nonsense`),
    await rest.get(`${EVENTS}?cursor=${cursor}x`),
    await rest.get(`${EVENTS}?cursor=${cursor}&status=failed`),
    await tenant.rest.get(`${EVENTS}?cursor=${cursor}`),
  ];
  for (const answer of refused) expect([answer.status, errorCode(answer)]).toEqual([422, 'invalid_cursor']);
  expect((await rest.get(`${EVENTS}?limit=1&cursor=${cursor}`)).status).toBe(200);
});

test.each([
  'limit=0',
  'limit=201',
  'limit=x',
  'status=queued',
  'since=yesterday',
  'until=2025-02-30',
  'surprise=1',
])('%s is refused as invalid_request', async (query) => {
  const answer = await tenant.rest.get(`${EVENTS}?${query}`);
  expect([answer.status, errorCode(answer)]).toEqual([422, 'invalid_request']);
});
