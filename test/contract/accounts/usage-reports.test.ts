import { randomUUID } from 'node:crypto';
import { beforeAll, expect, inject, vi } from 'vitest';
import { newTenant, ownTenant, testOfOwnFleet, type Tenant } from '#support/fleets/contract.ts';
import { errorCode, type Rest } from '#support/fleets/rest.ts';
import { submitAsService } from '#support/fleets/submit-as-service.ts';

interface Group {
  key: string;
  api_key_id?: string | null;
  runs: number;
}
interface Summary {
  group_by: string;
  total_runs: number;
  rows: Group[];
}
interface Page {
  events: Record<string, unknown>[];
  count: number;
  next_cursor: string | null;
}

const test = testOfOwnFleet('runs that services submit');
const ADMIN = '/api/v1/admin/usage';
const admin = ownTenant('usage:admin');
/** Unique names, because other files use the same fleet, and the fuzzing starts hundreds of runs. */
const anew = (name: string) => `${name}-${randomUUID()}`;
const [ani, citra] = [anew('ani'), anew('citra')];
const since = new Date().toISOString();
let [one, two] = [{} as Tenant, {} as Tenant];

/** Runs of both keys for the same end users through three channels. A recovery run without positions fails. */
beforeAll(async () => {
  [one, two] = await Promise.all([newTenant(), newTenant()]);
  const run = async ({ rest }: Tenant, endUser: string, model = 'confluence_filter') => {
    const response = await rest.post(`/api/v1/models/${model}/runs?wait=30`, {}, { endUser });
    expect(response.status).toBe(200);
  };
  const stateDir = inject('stateDir');
  await run(one, ani);
  await run(one, 'budi');
  await run(one, 'budi', 'recovery_v4');
  await run(two, ani);
  const caller = { api_key_id: two.keyId, end_user: citra };
  await submitAsService(stateDir, { ...caller, channel: 'scheduled', actor: 'sch_1' });
  await submitAsService(stateDir, { ...caller, channel: 'telegram', actor: '628111' });
  const allEnded = async () => expect(await Promise.all([ended(one.rest), ended(two.rest)])).toEqual([3, 3]);
  await vi.waitFor(allEnded, { timeout: 10_000, interval: 50 });
});

async function ended(rest: Rest): Promise<number> {
  const { body } = await rest.get<Page>('/api/v1/usage/events');
  return body.events.filter(({ status }) => status !== 'started').length;
}
const summary = async (rest: Rest, path: string) => (await rest.get<Summary>(path)).body;
const page = async (rest: Rest, path: string) => (await rest.get<Page>(path)).body;
/** Each row as `key runs`. */
const counts = ({ rows }: Summary) => rows.map(({ key, runs }) => `${key} ${runs}`);
const today = () => new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 10);

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

test.each([
  ['end_user', ['budi 2', `${ani} 1`]],
  ['status', ['succeeded 2', 'failed 1']],
  ['channel', ['api 3']],
])('the summary groups by group_by=%s', async (groupBy, expected) => {
  const response = await summary(one.rest, `/api/v1/usage/summary?group_by=${groupBy}`);
  expect([response.group_by, counts(response)]).toEqual([groupBy, expected]);
});

test('days are Jakarta days, and a period without runs has no rows', async () => {
  const response = await summary(one.rest, '/api/v1/usage/summary?group_by=day');
  expect(response.rows.map(({ key }) => key)).toContain(today());
  const before = await summary(one.rest, '/api/v1/usage/summary?until=2020-01-01');
  expect(before).toEqual({ group_by: 'model', total_runs: 0, rows: [] });
});

test('a key sees its own end users, most recently seen first', async () => {
  const { body } = await one.rest.get<{ end_users: object[]; count: number }>('/api/v1/usage/end-users');
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

test('an end user of another key and an unknown one have no events', async () => {
  const empty = { events: [], count: 0, next_cursor: null, has_more: false };
  for (const id of [citra, 'nobody']) {
    expect(await page(one.rest, `/api/v1/usage/end-users/${id}/events`)).toEqual(empty);
  }
  expect((await page(one.rest, `/api/v1/usage/end-users/${ani}/events`)).count).toBe(1);
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

test('the operator counts the runs of all keys, with actors and end users under their key', async () => {
  const ofTwo = `&api_key_id=${two.keyId}`;
  const by = (groupBy: string, more = '') =>
    summary(admin.rest, `${ADMIN}/summary?group_by=${groupBy}${more}`);
  for (const groupBy of ['model', 'status', 'channel', 'day', 'api_key', 'actor'])
    for (const row of (await by(groupBy, ofTwo)).rows)
      expect(Object.values(row), groupBy).not.toContain(null);
  expect(counts(await by('channel', ofTwo)).toSorted()).toEqual(['api 1', 'scheduled 1', 'telegram 1']);
  expect(counts(await by('actor', ofTwo)).toSorted()).toEqual(
    ['628111 1', `${two.keyId} 1`, 'sch_1 1'].toSorted(),
  );
  expect(counts(await by('api_key', `&channel=scheduled${ofTwo}`))).toEqual([`${two.keyId} 1`]);
  const { rows } = await by('end_user', `&since=${since}`);
  const owners = rows.filter(({ key }) => key === ani).map(({ api_key_id }) => api_key_id);
  expect(owners.toSorted()).toEqual([one.keyId, two.keyId].toSorted());
});

test('the operator sees end users with their key, and run counts per key', async () => {
  const { body } = await admin.rest.get<{ end_users: object[] }>(
    `${ADMIN}/end-users?api_key_id=${two.keyId}`,
  );
  expect(body.end_users).toMatchObject([
    { end_user: citra, api_key_id: two.keyId, runs: 2 },
    { end_user: ani, api_key_id: two.keyId, runs: 1 },
  ]);
  const keys = await admin.rest.get<{ keys: { api_key_id: string }[]; count: number }>(`${ADMIN}/keys`);
  expect(keys.body.count).toBe(keys.body.keys.length);
  const ofOne = keys.body.keys.find(({ api_key_id }) => api_key_id === one.keyId);
  expect(ofOne).toMatchObject({ runs: 3, succeeded: 2, failed: 1, end_users: 2 });
  const later = await admin.rest.get(`${ADMIN}/keys?since=2100-01-01`);
  expect(later.body).toEqual({ keys: [], count: 0 });
});

test('a cursor of the operator’s list is invalid in the list of a key, and vice versa', async () => {
  const own = await page(one.rest, '/api/v1/usage/events?limit=1');
  const all = await page(admin.rest, `${ADMIN}/events?limit=1&api_key_id=${one.keyId}`);
  const refused = [
    await one.rest.get(`/api/v1/usage/events?limit=1&cursor=${encodeURIComponent(all.next_cursor!)}`),
    await two.rest.get(`/api/v1/usage/end-users/budi/events?cursor=${encodeURIComponent(own.next_cursor!)}`),
    await admin.rest.get(
      `${ADMIN}/events?api_key_id=${one.keyId}&cursor=${encodeURIComponent(own.next_cursor!)}`,
    ),
  ];
  for (const response of refused)
    expect([response.status, errorCode(response)]).toEqual([422, 'invalid_cursor']);
});

test.each(['events', 'summary', 'end-users', 'keys'])(
  '%s of all keys require the scope usage:admin',
  async (path) => {
    const response = await one.rest.get(`${ADMIN}/${path}`);
    expect([response.status, errorCode(response)]).toEqual([403, 'insufficient_scope']);
  },
);

test.each([
  '/api/v1/usage/summary?group_by=actor',
  '/api/v1/usage/summary?group_by=api_key',
  '/api/v1/usage/summary?channel=api',
  '/api/v1/usage/end-users?limit=1001',
  '/api/v1/usage/end-users/budi/events?status=failed',
  `${ADMIN}/summary?group_by=hour`,
  `${ADMIN}/events?channel=Telegram`,
  `${ADMIN}/events?limit=201`,
  `${ADMIN}/end-users?until=2026-01-01`,
  `${ADMIN}/keys?limit=1`,
])('%s is refused as invalid_request', async (path) => {
  const { rest } = path.startsWith(ADMIN) ? admin : one;
  const response = await rest.get(path);
  expect([response.status, errorCode(response)]).toEqual([422, 'invalid_request']);
});
