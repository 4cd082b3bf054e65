import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { SCREEN, simulationOf } from '#support/declared-api/request-parts.ts';
import { untilEnded } from '#support/rest/backfills.ts';
import { newTenant, ownTenant } from '#support/fleets/contract.ts';
import { pollUntilFinal, type JobBody } from '#support/rest/jobs.ts';
import { errorCode, type Rest, type RestResponse } from '#support/rest/rest.ts';

/** What a client may rely on when it sends an `Idempotency-Key`. That other keys of the API do not see it: `cross-tenant.test.ts`. */

const tenant = ownTenant();
const MODEL = '/api/v1/models/confluence_filter';
const ALICE = 'alice';

interface Operation {
  path: string;
  body?: object | undefined;
  /** The same request in other words. */
  same?: object;
  /** Other requests of the same end user. */
  others: object[];
  /** Requests that are refused, by how. */
  refused: [string, object][];
  /** The member that names what was made. */
  id: 'job_id' | 'backfill_id' | 'consent_id';
}

const operations: Record<string, Operation> = {};
beforeAll(async () => {
  const { rest, client } = tenant;
  const { body: overview } = await rest.get<{ date: string }>('/api/v1/data/market-overview');
  const { body: consent } = await rest.get<{ required_version: string }>('/api/v1/consent', {
    endUser: ALICE,
  });
  const screen = await client.screens.create({ ...SCREEN, shared: true, endUser: ALICE });
  const byModel = { name: 'by model', model_id: 'confluence_filter', shared: true, endUser: ALICE };
  const { stocks } = await client.data.stocks({ limit: 2 }).first();
  const [one, other] = stocks.map(({ ticker }) => ticker);
  const { date: day } = overview;
  const { required_version: document_version } = consent;
  Object.assign(operations, {
    'a run': {
      path: `${MODEL}/runs`,
      body: { params: { lookback: 3, min_signals: 1 } },
      same: { params: { min_signals: 1, lookback: 3 } },
      others: [{ params: { lookback: 4, min_signals: 1 } }, {}],
      refused: [['422 invalid_request', { params: { lookback: 0 } }]],
      id: 'job_id',
    },
    'a run of some stocks': {
      path: `${MODEL}/runs`,
      body: { params: { tickers: [one] } },
      others: [{ params: { tickers: [other] } }],
      refused: [['422 invalid_request', { params: { lookback: 0, tickers: [one] } }]],
      id: 'job_id',
    },
    'a backfill': {
      path: `${MODEL}/backfills`,
      body: { from: day, to: day },
      others: [{ from: day, to: day, step: 'day' }],
      refused: [['422 invalid_request', { from: day }]],
      id: 'backfill_id',
    },
    'the run of a screen by model': {
      path: `/api/v1/screens/${(await client.screens.create(byModel)).screen_id}/run`,
      others: [],
      refused: [],
      id: 'job_id',
    },
    'a simulation': {
      path: '/api/v1/simulations',
      body: simulationOf({ ...screen, day }),
      others: [{ ...simulationOf({ ...screen, day }), capital_idr: 200_000_000 }],
      refused: [['422 invalid_request', { ...simulationOf({ ...screen, day }), max_positions: 51 }]],
      id: 'job_id',
    },
    'an acceptance': {
      path: '/api/v1/consent',
      body: { document_version, locale: 'id' },
      same: { document_version, locale: 'id', client_version: null, accepted: true },
      others: [{ document_version }],
      refused: [
        ['409 stale_document_version', { document_version: 'v0' }],
        ['422 consent_not_accepted', { document_version, accepted: false }],
      ],
      id: 'consent_id',
    },
  } satisfies Record<string, Operation>);
});

const post = (path: string, body: unknown, key: string, { endUser = ALICE, rest = tenant.rest } = {}) =>
  rest.post<JobBody>(path, body, { endUser, headers: { 'idempotency-key': key } });
const outcomeOf = (response: RestResponse<JobBody>) => `${response.status} ${errorCode(response) ?? 'ok'}`;
const replayed = ({ headers }: RestResponse<JobBody>) => headers.get('idempotent-replayed');
/** A key may have two backfills running, and other tests start some. */
const settled = async ({ body: { backfill_id: id } }: RestResponse<JobBody>) =>
  typeof id === 'string' && (await untilEnded(tenant.rest, id));

describe.each([
  'a run',
  'a run of some stocks',
  'a backfill',
  'the run of a screen by model',
  'a simulation',
  'an acceptance',
])('an Idempotency-Key of %s', (name) => {
  test('repeats the answer to the same request, with where to poll it, and conflicts with another one', async () => {
    const { path, body, same = body, others, id } = operations[name]!;
    const key = randomUUID();
    const first = await post(path, body, key);
    expect([first.status < 300, replayed(first)]).toEqual([true, null]);
    const again = await post(path, same, key);
    expect([again.status, again.body[id], replayed(again)]).toEqual([first.status, first.body[id], 'true']);
    for (const { headers } of first.status === 202 ? [first, again] : []) {
      expect(headers.get('retry-after')).toBe(id === 'job_id' ? '1' : '5');
      expect((await tenant.rest.get(headers.get('location')!)).body[id]).toBe(first.body[id]);
    }
    for (const other of others)
      expect(outcomeOf(await post(path, other, key))).toBe('409 idempotency_conflict');
    expect(outcomeOf(await post(path, body, key, { endUser: 'bob' }))).toBe('409 idempotency_conflict');
    await settled(first);
  });

  test('is not used up by a request that is refused', async () => {
    const { path, body, refused } = operations[name]!;
    const key = randomUUID();
    for (const [outcome, wrong] of refused) expect(outcomeOf(await post(path, wrong, key))).toBe(outcome);
    const corrected = await post(path, body, key);
    expect([corrected.status < 300, replayed(corrected)]).toEqual([true, null]);
    await settled(corrected);
  });
});

const submit = (key: string, rest: Rest, query = '') =>
  post(`${MODEL}/runs${query}`, { params: {} }, key, { rest, endUser: `user-${key}` });

test('a repeated submission returns its job in its current state, and runs once', async () => {
  const { rest } = tenant;
  const key = randomUUID();
  const { job_id } = (await submit(key, rest)).body;
  await pollUntilFinal(rest, job_id);
  const again = await submit(key, rest);
  expect([again.status, replayed(again)]).toEqual([202, 'true']);
  expect(again.body).toMatchObject({ job_id, status: 'succeeded', result_available: true });
  expect(again.body).not.toHaveProperty('result');
  const waited = await submit(key, rest, '?wait=30');
  expect([waited.status, replayed(waited), waited.body.job_id]).toEqual([200, 'true', job_id]);
  expect(waited.body.result).toHaveProperty('df_result');
  const runsInHistory = async () => {
    const path = `/api/v1/usage/events?end_user=user-${key}`;
    return (await rest.get<{ events: { job_id: string }[] }>(path)).body.events;
  };
  await expect.poll(runsInHistory).toMatchObject([{ job_id, status: 'succeeded' }]);
});

test('of many simultaneous submissions with one key exactly one starts a run, and all return it', async () => {
  const { rest } = await newTenant();
  const key = randomUUID();
  const responses = await Promise.all(Array.from({ length: 12 }, () => submit(key, rest)));
  expect(responses.map(({ status }) => status)).toEqual(Array(12).fill(202));
  expect(new Set(responses.map(({ body }) => body.job_id)).size).toBe(1);
  expect(responses.filter((response) => replayed(response) === null)).toHaveLength(1);
  expect((await rest.get<{ count: number }>('/api/v1/jobs')).body.count).toBe(1);
});
