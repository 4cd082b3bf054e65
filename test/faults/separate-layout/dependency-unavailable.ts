import { afterEach, expect, test } from 'vitest';
import { thaw, descendantsOf } from '#support/processes/signals.ts';
import { pollUntilFinal, submitRun } from '#support/rest/jobs.ts';
import { errorCode } from '#support/rest/rest.ts';
import { HANGS_AFTER_MS } from '#support/hangs.ts';
import { issueKey } from '#support/fleets/issued-keys.ts';
import { own } from './fleet.ts';

const frozen: number[] = [];

/**
 * Freezes a process and its descendants, since PostgreSQL's children answer without their parent. Freezing is the worst way to
 * be away: connections stay open and nothing answers.
 */
async function freeze(name: string): Promise<void> {
  const pid = (await own.fleet.file()).pids[name]!;
  for (const one of [pid, ...(await descendantsOf(pid))]) {
    process.kill(one, 'SIGSTOP');
    frozen.push(one);
  }
}

afterEach(async () => {
  thaw(frozen.splice(0));
  await expect
    .poll(async () => (await own.rest.get('/api/v1/models').catch(() => undefined))?.status)
    .toBe(200);
});

interface Away {
  method: 'GET' | 'POST';
  path: string;
  code: string;
}
const RUNS = '/api/v1/models/confluence_filter/runs';
const USAGE: Away[] = [
  '/api/v1/usage/events',
  '/api/v1/usage/events/ue_1',
  '/api/v1/usage/summary',
  '/api/v1/usage/end-users',
  '/api/v1/usage/end-users/tester/events',
  '/api/v1/admin/usage/events',
  '/api/v1/admin/usage/summary',
  '/api/v1/admin/usage/end-users',
  '/api/v1/admin/usage/keys',
].map((path) => ({ method: 'GET', path, code: 'usage_unavailable' }));

test.each<[string, Away[]]>([
  ['clickhouse', USAGE],
  ['usage', USAGE],
  [
    'market-data',
    [
      { method: 'GET', path: '/api/v1/data/quotes?tickers=AAAA', code: 'data_unavailable' },
      { method: 'GET', path: '/api/v1/data/stocks/AAAA', code: 'data_unavailable' },
    ],
  ],
  [
    'models',
    [
      { method: 'GET', path: '/api/v1/jobs', code: 'model_unavailable' },
      { method: 'GET', path: '/api/v1/models/confluence_filter/record', code: 'model_unavailable' },
      { method: 'POST', path: RUNS, code: 'model_unavailable' },
    ],
  ],
])('with %s frozen, its dependents answer 503 with their own code', async (name, calls) => {
  await freeze(name);
  const begun = performance.now();
  const responses = await Promise.all(
    calls.map(({ method, path }) =>
      method === 'GET' ? own.rest.get(path) : own.rest.post(path, {}, { endUser: 'tester' }),
    ),
  );
  expect(responses.map((response) => [response.status, errorCode(response)])).toEqual(
    calls.map(({ code }) => [503, code]),
  );
  expect(performance.now() - begun).toBeLessThan(HANGS_AFTER_MS);
});

test('with PostgreSQL frozen, a key that was checked gets the code of each service, and quotes in memory', async () => {
  const quotes = '/api/v1/data/quotes?tickers=AAAA';
  expect((await own.rest.get(quotes)).status).toBe(200);
  const asTester = { endUser: 'tester' };
  const { body: gate } = await own.rest.get<{ required_version: string }>('/api/v1/consent', asTester);
  await freeze('postgres');
  const responses = await Promise.all([
    own.rest.get(quotes),
    own.rest.get('/api/v1/jobs'),
    own.rest.post(RUNS, {}, asTester),
    own.rest.get('/api/v1/consent', asTester),
    own.rest.post('/api/v1/consent', { document_version: gate.required_version }, asTester),
  ]);
  expect(responses.map((response) => [response.status, errorCode(response)])).toEqual([
    [200, undefined],
    [503, 'model_unavailable'],
    [503, 'model_unavailable'],
    [503, 'consent_unavailable'],
    [503, 'consent_write_failed'],
  ]);
});

test('with the keys service frozen, a key that is not cached is refused', async () => {
  const { key } = await issueKey(own.fleet.stateDir, 'models:read');
  await freeze('keys');
  const response = await own.rest.get('/api/v1/models', { key });
  expect([response.status, errorCode(response)]).toEqual([503, 'data_unavailable']);
});

test('with usage and ClickHouse frozen, runs succeed and are recorded after the thaw', async () => {
  await freeze('usage');
  await freeze('clickhouse');
  const job = await submitRun(own.rest);
  expect((await pollUntilFinal(own.rest, job.job_id)).status).toBe('succeeded');
  thaw(frozen.splice(0));
  await expect
    .poll(
      async () => {
        const response = await own.rest.get<{ events: { job_id: string; status: string }[] }>(
          '/api/v1/usage/events',
        );
        return response.body.events?.find((event) => event.job_id === job.job_id)?.status;
      },
      { timeout: 2 * HANGS_AFTER_MS },
    )
    .toBe('succeeded');
});

test('health answers 200 while a service is frozen', async () => {
  await freeze('market-data');
  // Callers share each round of probes for half a second, so the first response may be from before.
  await expect
    .poll(async () => {
      const { status, body } = await own.rest.get('/api/health');
      return [status, body['data_loaded']];
    })
    .toEqual([200, false]);
});
