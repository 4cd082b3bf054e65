import { beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { MODELS } from '#models/registry.ts';
import { ownTenant, ownTestTenant } from '#support/fleets/contract.ts';
import { operationsOf } from '#support/declared-api/openapi-document.ts';
import { recordedRun, send, validRequest, type GoodValues } from '#support/declared-api/request-parts.ts';
import { pollUntilFinal, type JobBody } from '#support/rest/jobs.ts';
import { errorCode } from '#support/rest/rest.ts';
import { IN_TIME } from '#support/hangs.ts';

const VERSION = 'synthetic-test-20251230-1';
const LAST_DAY = '2025-12-30';
const END_USER = 'alice';
const ALICE = { endUser: END_USER };
/** What models pick with their defaults. */
const PICKS = {
  regime_adaptive_v6: ['QICE', 'QARI'],
  gann_classic_v7: ['QARI'],
  gross_alpha_v10: ['QICE'],
  confluence_filter: ['QOWI', 'QUMA', 'QOKI'],
  model_f_combined: ['QICE'],
};

const baseUrl = inject('baseUrl');
const operations = await operationsOf(baseUrl);
/** Operations that say which market they tell of. */
const reads = operations.filter(({ method, needsKey, answers }) => {
  const saysVersion = JSON.stringify(answers[200]?.schema ?? null).includes('"dataset_version"');
  return method === 'get' && needsKey && saysVersion;
});

const tenant = ownTenant();
const tester = ownTestTenant();

interface Answer {
  dataset_version?: string;
}
const versionOf = async (of: typeof tenant, path: string) => (await of.rest.get<Answer>(path, ALICE)).body;

let good: GoodValues;
beforeAll(async () => {
  // The first request of a fleet may come before the test market is made.
  const made = async () => expect((await tester.rest.get('/api/v1/data/stocks?limit=1')).status).toBe(200);
  await vi.waitFor(made, IN_TIME);
  good = await recordedRun(tester.rest, END_USER);
});

describe('the test market', () => {
  test('is the same in every fleet and on every day', async () => {
    expect(await tester.client.data.overview()).toMatchObject({
      date: LAST_DAY,
      dataset_version: VERSION,
      freshness: { behind_trading_days: 0, is_late: false },
    });
    const { quotes } = await tester.client.data.quotes(['QICE', 'QARI', 'QOWI']);
    const closes = Object.entries(quotes).map(([ticker, { close }]) => [ticker, close]);
    expect(Object.fromEntries(closes)).toEqual({ QICE: 750, QARI: 2770, QOWI: 1915 });
  });

  test.each(reads.map((operation) => [operation.operationId, operation] as const))(
    'is the only market that %s tells a test key of',
    async (_, operation) => {
      const { text } = await send(baseUrl, operation, validRequest(operation, tester.key, good));
      const versions = [...text.matchAll(/"dataset_version":"([^"]+)"/g)].map(([, version]) => version);
      expect(new Set([VERSION, ...versions])).toEqual(new Set([VERSION]));
    },
  );

  test('is not mixed with the served one in cached answers or in calls that requests share', async () => {
    const paths = [
      '/api/v1/data/market-overview',
      '/api/v1/data/stocks?limit=5',
      '/api/v1/data/quotes?tickers=AAAA',
    ];
    for (const path of [...paths, ...paths]) {
      const callers = [tenant, tester, tenant, tester];
      const answers = await Promise.all(callers.map((of) => versionOf(of, path)));
      const [served, ofTest] = answers;
      expect(ofTest!.dataset_version).toBe(VERSION);
      expect(served!.dataset_version).not.toBe(VERSION);
      expect(answers.slice(2)).toEqual([served, ofTest]);
    }
  });

  test('has picks of every model that picks', () => {
    const picking = MODELS.filter(({ picks }) => picks).map(({ id }) => id);
    expect(Object.keys(PICKS)).toEqual(picking);
  });

  test.each(Object.entries(PICKS))('has the same picks of %s on every day', async (model, tickers) => {
    const { body } = await tester.rest.post<JobBody>(`/api/v1/models/${model}/runs?wait=30`, {}, ALICE);
    const job = await pollUntilFinal(tester.rest, body.job_id);
    expect(job).toMatchObject({
      status: 'succeeded',
      params: { analysis_date: LAST_DAY },
      summary: { target_date: LAST_DAY, tickers },
      result: { dataset: { version: VERSION, kind: 'synthetic', synthetic: true } },
    });
  });

  test('has members of a saved screen, which are found once it has been followed', async () => {
    const read = () => tester.rest.get(`/api/v1/screens/${good.screen_id}`, ALICE);
    await expect.poll(async () => (await read()).body['members_as_of']).toBe(LAST_DAY);
    expect((await read()).body['members']).toBe(5);
  });
});

test('a test key says so, and another key sees none of its jobs', async () => {
  expect(await tester.client.key()).toMatchObject({ test: true });
  expect(await tenant.client.key()).toMatchObject({ test: false });
  expect(errorCode(await tenant.rest.get(`/api/v1/jobs/${good.job_id}`, ALICE))).toBe('job_not_found');
});

test('picks of a test key are on no record, and no record stands beside its results', async () => {
  const record = await tester.rest.get('/api/v1/models/confluence_filter/record');
  expect(record.body).toMatchObject({
    dataset_kind: 'synthetic',
    head: null,
    own: { runs: 0 },
    daily: { runs: 0 },
  });
  const { models } = (await tester.rest.get<{ models: { evidence: unknown }[] }>('/api/v1/models')).body;
  expect(models.map(({ evidence }) => evidence)).toEqual(models.map(() => null));
});
