import { expect, inject, test } from 'vitest';
import type { Schemas } from '#client/index.ts';
import { newTenant, ownTenant, type Tenant } from '#support/fleets/contract.ts';
import { readEvents } from '#support/rest/event-reader.ts';
import { submitRun } from '#support/rest/jobs.ts';
import { type Rest } from '#support/rest/rest.ts';

const tenant = ownTenant();
const PATH = '/api/v1/events';

const pageOf = async (rest: Rest, query = '') =>
  (await rest.get<Schemas['EventPage']>(`${PATH}${query}`)).body;
const newest = async (rest: Rest) => (await pageOf(rest, '?limit=200')).next_after;

/** What is told of a run, once it is. */
async function toldOf(rest: Rest, jobId: string): Promise<Schemas['EventPage']['events'][number]> {
  const find = async () =>
    (await pageOf(rest, '?limit=200')).events.filter(({ data }) => 'job_id' in data && data.job_id === jobId);
  await expect.poll(async () => (await find()).length).toBe(1);
  return (await find())[0]!;
}

const stream = ({ key }: Tenant, query = '', lastEventId?: string) =>
  readEvents(`${inject('baseUrl')}${PATH}${query}`, {
    key,
    ...(lastEventId !== undefined && { lastEventId }),
  });

test('the ends of runs are told once, in numbers without gaps, and only to their key', async () => {
  const other = await newTenant();
  const [succeeds, fails] = [
    await submitRun(tenant.rest, {}, '?wait=30'),
    await submitRun(tenant.rest, { analysis_date: '1990-01-02' }, '?wait=30'),
  ];
  const [good, bad] = [await toldOf(tenant.rest, succeeds.job_id), await toldOf(tenant.rest, fails.job_id)];
  expect(good).toMatchObject({
    type: 'run.succeeded',
    data: { model_id: 'confluence_filter', as_of: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string },
  });
  expect(bad).toMatchObject({ type: 'run.failed', data: { error_code: expect.any(String) as string } });
  const { events } = await pageOf(tenant.rest, '?limit=200');
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i + 1));
  const onlyFailed = await pageOf(tenant.rest, `?types=run.failed&after=${bad.sequence - 1}&limit=1`);
  expect(onlyFailed.events).toMatchObject([{ type: 'run.failed', sequence: bad.sequence }]);
  const foreign = (await pageOf(other.rest)).events.filter(({ data }) => 'job_id' in data);
  expect(foreign).toEqual([]);
});

test('a stream tells each event as it comes, and goes on where a reader left off', async () => {
  const before = await newest(tenant.rest);
  const [fromNow, ofOther] = [await stream(tenant), await stream(await newTenant(), '?types=run.succeeded')];
  const { job_id } = await submitRun(tenant.rest, {}, '?wait=30');
  const told = await toldOf(tenant.rest, job_id);
  await expect
    .poll(() => fromNow.events.filter(({ event }) => event === 'event').map(({ id }) => Number(id)))
    .toContain(told.sequence);
  const inStream = fromNow.events.find(({ id, data }) => Number(id) === told.sequence && data)!;
  expect(JSON.parse(inStream.data)).toEqual(told);
  fromNow.leave();
  const resumed = await stream(tenant, '', String(before));
  const sequences = () => resumed.events.filter(({ data }) => data).map(({ id }) => Number(id));
  await expect.poll(sequences).toContain(told.sequence);
  expect(sequences()).toEqual(sequences().map((_, i) => before + 1 + i));
  resumed.leave();
  expect(ofOther.events.filter(({ data }) => data)).toEqual([]);
  ofOther.leave();
});

test('the client streams events typed by what they tell', async () => {
  const after = await newest(tenant.rest);
  const { job_id } = await submitRun(tenant.rest);
  for await (const event of tenant.client.events.stream({ after, types: ['run.succeeded'] })) {
    if (event.type !== 'run.succeeded' || event.data.job_id !== job_id) continue;
    expect(event.data.pick_count).toBeGreaterThanOrEqual(0);
    break;
  }
});

test.each([
  ['a number that the key has not reached', '?after=1000000000', undefined],
  ['a Last-Event-ID that is no number', '', 'running'],
])('%s is refused before a stream begins', async (_, query, lastEventId) => {
  expect((await stream(tenant, query, lastEventId)).status).toBe(422);
});
