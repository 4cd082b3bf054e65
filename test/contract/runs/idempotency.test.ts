import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { newTenant, ownTenant } from '#support/fleets/contract.ts';
import { pollUntilFinal, type JobBody } from '#support/fleets/jobs.ts';
import { errorCode, type Rest, type RestResponse } from '#support/fleets/rest.ts';

const tenant = ownTenant();
const RUNS = '/api/v1/models/confluence_filter/runs';

interface Submission {
  key: string;
  params?: object;
  endUser?: string;
  query?: string;
}

function submit(rest: Rest, { key, params = {}, endUser = 'alice', query = '' }: Submission) {
  const headers = { 'idempotency-key': key };
  return rest.post<JobBody>(RUNS + query, { params }, { endUser, headers });
}

const replayed = ({ headers }: RestResponse<JobBody>) => headers.get('idempotent-replayed');

test('a repeated submission returns the same job in its current state and runs once', async () => {
  const key = randomUUID();
  const endUser = `user-${key}`;
  const first = await submit(tenant.rest, { key, endUser });
  expect([first.status, replayed(first)]).toEqual([202, null]);
  const { job_id } = first.body;
  await pollUntilFinal(tenant.rest, job_id);
  const again = await submit(tenant.rest, { key, endUser });
  expect([again.status, replayed(again)]).toEqual([202, 'true']);
  expect(again.body).toMatchObject({ job_id, status: 'succeeded', result_available: true });
  expect(again.body).not.toHaveProperty('result');
  const waited = await submit(tenant.rest, { key, endUser, query: '?wait=30' });
  expect([waited.status, replayed(waited), waited.body.job_id]).toEqual([200, 'true', job_id]);
  expect(waited.body.result).toHaveProperty('df_result');
  const runsInHistory = async () => {
    const path = `/api/v1/usage/events?end_user=${endUser}`;
    return (await tenant.rest.get<{ events: { job_id: string }[] }>(path)).body.events;
  };
  await expect.poll(runsInHistory).toMatchObject([{ job_id, status: 'succeeded' }]);
});

test('of many simultaneous submissions with one key exactly one starts a run, and all return it', async () => {
  const { rest } = await newTenant();
  const key = randomUUID();
  const responses = await Promise.all(Array.from({ length: 12 }, () => submit(rest, { key })));
  expect(responses.map(({ status }) => status)).toEqual(Array(12).fill(202));
  expect(new Set(responses.map(({ body }) => body.job_id)).size).toBe(1);
  expect(responses.filter((response) => replayed(response) === null)).toHaveLength(1);
  expect((await rest.get<{ count: number }>('/api/v1/jobs')).body.count).toBe(1);
});

test('another request with the same key is 409 idempotency_conflict; another API key may use it', async () => {
  const key = randomUUID();
  const { body } = await submit(tenant.rest, { key, params: { lookback: 3 } });
  for (const other of [{ params: { lookback: 4 } }, { params: { lookback: 3 }, endUser: 'bob' }]) {
    const response = await submit(tenant.rest, { key, ...other });
    expect([response.status, errorCode(response)]).toEqual([409, 'idempotency_conflict']);
  }
  const theirs = await submit((await newTenant()).rest, { key, params: { lookback: 3 } });
  expect([theirs.status, replayed(theirs)]).toEqual([202, null]);
  expect(theirs.body.job_id).not.toBe(body.job_id);
});

test('a refused submission leaves its key free for the corrected one', async () => {
  const key = randomUUID();
  const refused = await submit(tenant.rest, { key, params: { lookback: 0 } });
  expect([refused.status, errorCode(refused)]).toEqual([422, 'invalid_request']);
  const corrected = await submit(tenant.rest, { key, params: { lookback: 1 } });
  expect([corrected.status, replayed(corrected)]).toEqual([202, null]);
});

test('a key of 256 characters is refused, naming the header', async () => {
  const response = await submit(tenant.rest, { key: 'a'.repeat(256) });
  expect([response.status, errorCode(response)]).toEqual([422, 'invalid_request']);
  expect(response.body['detail']).toMatchObject([{ loc: ['header', 'Idempotency-Key'] }]);
});
