import { randomUUID } from 'node:crypto';
import { beforeAll, expect, inject, vi } from 'vitest';
import type { Schemas } from '#client/index.ts';
import { RunsServiceService, type SubmitRunRequest } from '#proto/saring/models/v1/runs.ts';
import { newTenant, ownTenant, testOfOwnFleet, type Tenant } from '#support/fleets/contract.ts';
import { fleetFileIn } from '#support/fleets/fleet.ts';
import { clientOf, identityOf } from '#support/processes/service-process.ts';
import { type Rest } from '#support/rest/rest.ts';
import { IN_TIME } from '#support/hangs.ts';

type Page = Schemas['AdminUsagePage'];

const test = testOfOwnFleet('runs that services submit');
const ADMIN = '/api/v1/admin/usage';
const admin = ownTenant('usage:admin');
/** Unique names, because other files use the same fleet, and the fuzzing starts hundreds of runs. */
const anew = (name: string) => `${name}-${randomUUID()}`;
const [ani, citra] = [anew('ani'), anew('citra')];
let [one, two] = [{} as Tenant, {} as Tenant];

/** Runs of both keys for the same end users through three channels. A recovery run without positions fails. */
beforeAll(async () => {
  [one, two] = await Promise.all([newTenant(), newTenant()]);
  const run = async ({ rest }: Tenant, endUser: string, model = 'confluence_filter') => {
    const response = await rest.post(`/api/v1/models/${model}/runs?wait=30`, {}, { endUser });
    expect(response.status).toBe(200);
  };
  await run(one, ani);
  await run(one, 'budi');
  await run(one, 'budi', 'recovery_v4');
  await run(two, ani);
  const caller = { api_key_id: two.keyId, end_user: citra };
  await submitAsService({ ...caller, channel: 'scheduled', actor: 'sch_1' });
  await submitAsService({ ...caller, channel: 'telegram', actor: '628111' });
  const allEnded = async () => expect(await Promise.all([ended(one.rest), ended(two.rest)])).toEqual([3, 3]);
  await vi.waitFor(allEnded, IN_TIME);
});

/** Submits a run without the gateway, as the scheduler or a chat service does. */
async function submitAsService(
  caller: Pick<SubmitRunRequest, 'api_key_id' | 'end_user' | 'channel' | 'actor'>,
): Promise<void> {
  const { addresses, gateway_tokens } = await fleetFileIn(inject('stateDir'));
  const identity = identityOf('gateway', gateway_tokens.models);
  const client = clientOf(RunsServiceService, addresses.models, {
    identity,
    unavailableCode: 'model_unavailable',
    timeoutMs: 5_000,
  });
  const run = { model_id: 'confluence_filter', params: undefined, view: 'full', ...caller };
  await client.submitRun(run, { requestId: 'req_0123456789abcdef01234567' });
  client.close();
}

async function ended(rest: Rest): Promise<number> {
  const { body } = await rest.get<Page>('/api/v1/usage/events');
  return body.events.filter(({ status }) => status !== 'started').length;
}
const summary = async (rest: Rest, path: string) => (await rest.get<Schemas['UsageSummary']>(path)).body;
const page = async (rest: Rest, path: string) => (await rest.get<Page>(path)).body;

test('the summary of a key counts its own runs, by model by default', async () => {
  const byModel = await summary(one.rest, '/api/v1/usage/summary');
  expect(byModel).toEqual({
    group_by: 'model',
    total_runs: 3,
    rows: [
      {
        key: 'confluence_filter',
        runs: 2,
        succeeded: 2,
        failed: 0,
        avg_duration_seconds: expect.any(Number) as number,
        last_run_at: expect.stringMatching(/\+07:00$/) as string,
      },
      expect.objectContaining({ key: 'recovery_v4', runs: 1, succeeded: 0, failed: 1 }),
    ],
  });
});

test('a key sees its own end users, most recently seen first', async () => {
  const { body } = await one.rest.get<Schemas['EndUserList']>('/api/v1/usage/end-users');
  const moment = expect.stringMatching(/\+07:00$/) as string;
  const seen = { first_seen: moment, last_seen: moment };
  expect(body).toEqual({
    end_users: [
      { end_user: 'budi', runs: 2, ...seen, models: ['confluence_filter', 'recovery_v4'] },
      { end_user: ani, runs: 1, ...seen, models: ['confluence_filter'] },
    ],
    count: 2,
  });
  const first = await one.rest.get<{ end_users: object[] }>('/api/v1/usage/end-users?limit=1');
  expect(first.body.end_users).toEqual(body.end_users.slice(0, 1));
  const none = await one.rest.get('/api/v1/usage/end-users?since=2100-01-01');
  expect(none.body).toEqual({ end_users: [], count: 0 });
});

test('the events of an end user equal the event list filtered by that user, page by page', async () => {
  const events = '/api/v1/usage/end-users/budi/events';
  const both = await page(one.rest, events);
  expect(both.events.map(({ model_id }) => model_id)).toEqual(['recovery_v4', 'confluence_filter']);
  expect(both).toEqual(await page(one.rest, '/api/v1/usage/events?end_user=budi'));
  expect((await page(one.rest, `${events}?model_id=recovery_v4`)).count).toBe(1);
  const first = await page(one.rest, `${events}?limit=1`);
  const rest = await page(one.rest, `${events}?limit=1&cursor=${encodeURIComponent(first.next_cursor!)}`);
  expect([...first.events, ...rest.events]).toEqual(both.events);
});

test('a key never sees the key or actor of an event', async () => {
  const { events } = await page(two.rest, '/api/v1/usage/events');
  expect(events.map(({ channel }) => channel)).toEqual(['telegram', 'scheduled', 'api']);
  const text = JSON.stringify([
    events,
    (await two.rest.get('/api/v1/usage/summary?group_by=end_user')).body,
    (await two.rest.get('/api/v1/usage/end-users')).body,
  ]);
  for (const hidden of [two.keyId, one.keyId, 'sch_1', '628111']) expect(text).not.toContain(hidden);
});

test('the operator sees the events of both keys and all channels, with key and actor', async () => {
  const of = (key: Tenant) => page(admin.rest, `${ADMIN}/events?api_key_id=${key.keyId}`);
  const identities = ({ events }: Page) =>
    events.map(({ api_key_id, channel, actor }) => [api_key_id, channel, actor]);
  expect(identities(await of(two))).toEqual([
    [two.keyId, 'telegram', '628111'],
    [two.keyId, 'scheduled', 'sch_1'],
    [two.keyId, 'api', two.keyId],
  ]);
  expect((await of(one)).count).toBe(3);
  const chat = await page(admin.rest, `${ADMIN}/events?channel=telegram&end_user=${citra}&status=succeeded`);
  expect(identities(chat)).toEqual([[two.keyId, 'telegram', '628111']]);
  const ofBoth = await page(admin.rest, `${ADMIN}/events?end_user=${ani}`);
  expect(identities(ofBoth)).toEqual([
    [two.keyId, 'api', two.keyId],
    [one.keyId, 'api', one.keyId],
  ]);
});

test('the operator sees end users with their key, and run counts per key', async () => {
  const { body } = await admin.rest.get<{ end_users: object[] }>(
    `${ADMIN}/end-users?api_key_id=${two.keyId}`,
  );
  expect(body.end_users).toMatchObject([
    { end_user: citra, api_key_id: two.keyId, runs: 2 },
    { end_user: ani, api_key_id: two.keyId, runs: 1 },
  ]);
  const keys = await admin.rest.get<Schemas['KeyUsageList']>(`${ADMIN}/keys`);
  expect(keys.body.count).toBe(keys.body.keys.length);
  const ofOne = keys.body.keys.find(({ api_key_id }) => api_key_id === one.keyId);
  expect(ofOne).toMatchObject({ runs: 3, succeeded: 2, failed: 1, end_users: 2 });
  const later = await admin.rest.get(`${ADMIN}/keys?since=2100-01-01`);
  expect(later.body).toEqual({ keys: [], count: 0 });
});
