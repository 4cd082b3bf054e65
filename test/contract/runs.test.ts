import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, inject, test } from 'vitest';
import { asAnalyst } from '#support/analyst.ts';
import { newTenant, ownTenant } from '#support/contract.ts';
import type { FleetFile } from '#support/fleet.ts';
import { pollUntilFinal, submitRun, type JobBody } from '#support/jobs.ts';
import { errorCode } from '#support/rest.ts';

const tenant = ownTenant();
const RUNS = '/api/v1/models/confluence_filter/runs';
const fleetFile = async () =>
  JSON.parse(await readFile(path.join(inject('stateDir'), 'fleet.json'), 'utf8')) as FleetFile;

test('a run is accepted with 202, polls to succeeded and carries its result', async () => {
  const accepted = await tenant.rest.post<JobBody>(RUNS, { params: { lookback: 7 } }, { endUser: 'alice' });
  expect(accepted.status).toBe(202);
  expect(accepted.body).toMatchObject({
    job_id: expect.stringMatching(/^job_[0-9a-f]+$/) as string,
    kind: 'model_run',
    target: 'confluence_filter',
    status: expect.stringMatching(/^(queued|running)$/) as string,
    params: { lookback: 7, min_signals: 2, max_picks: 20 },
    finished_at: null,
    end_user: 'alice',
    poll_url: `/api/v1/jobs/${accepted.body.job_id}`,
    result_available: false,
  });
  expect(accepted.body).not.toHaveProperty('result');

  const job = await pollUntilFinal(tenant.rest, accepted.body.job_id);
  expect(job).toMatchObject({ status: 'succeeded', source: 'live', result_available: true });
  expect(job['created_at']).toMatch(/\+07:00$/);
  expect(job['finished_at']).toMatch(/\+07:00$/);
  const result = job.result as { df_result: object[]; target_date: string; diag: Record<string, number> };
  expect(result.target_date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  expect(job['summary']).toEqual({
    pick_count: result.df_result.length,
    tickers: result.df_result.map((row) => (row as { Ticker: string }).Ticker),
    target_date: result.target_date,
  });
});

test('with wait the same run answers 200 with its result inline', async () => {
  const answer = await tenant.rest.post<JobBody>(`${RUNS}?wait=30`, { params: {} }, { endUser: 'alice' });
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ status: 'succeeded', result_available: true });
  expect(answer.body.result).toHaveProperty('df_result');
  const { dataset } = answer.body.result as { dataset: { version: string } };
  expect(answer.headers.get('x-dataset-version')).toBe(dataset.version);
});

test('every row has the contract’s fields in the contract’s formats', async () => {
  const { result } = await submitRun(tenant.rest, { min_signals: 1, max_picks: 50 }, '?wait=30');
  const { df_result: rows, diag } = result as {
    df_result: Record<string, unknown>[];
    diag: Record<string, number>;
  };
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) {
    expect(row).toMatchObject({
      Ticker: expect.stringMatching(/^[A-Z0-9-]+$/) as string,
      Signals: expect.any(Number) as number,
      'Signal Detail': expect.stringMatching(/.+/) as string,
      'Stoch %K': expect.any(Number) as number,
      'MACD Hist': expect.stringMatching(/^[+-]\d+(\.\d+)?%$/) as string,
      'MA Spread': expect.stringMatching(/^[+-]\d+(\.\d+)?%$/) as string,
      'Vol Ratio': expect.stringMatching(/^\d+(\.\d+)?x$/) as string,
      'Last Close': expect.stringMatching(/^\d{1,3}(,\d{3})*$/) as string,
      'Daily Val': expect.stringMatching(/^\d+(\.\d+)?[KMBT]$/) as string,
      RSI: expect.any(Number) as number,
      'BB Width': expect.any(Number) as number,
    });
  }
  const { total_scanned, total_hits, after_seller_filter, final } = diag;
  expect(total_scanned).toBeGreaterThanOrEqual(total_hits!);
  expect(total_hits).toBeGreaterThanOrEqual(after_seller_filter!);
  expect(after_seller_filter).toBeGreaterThanOrEqual(final!);
  expect(final).toBe(rows.length);
});

test('the same run twice gives the same result', async () => {
  const [first, second] = [
    await submitRun(tenant.rest, {}, '?wait=30'),
    await submitRun(tenant.rest, {}, '?wait=30'),
  ];
  expect(second.result).toEqual(first.result);
});

test('a result says that market and broker rows are synthetic, and by which rows sellers were judged', async () => {
  const { result } = await submitRun(tenant.rest, { min_signals: 1 }, '?wait=30');
  expect(result).toMatchObject({
    dataset: { kind: 'synthetic', synthetic: true, broker_data: 'synthetic' },
    diag: { broker_data: 'synthetic', seller_rule: 'brokers' },
  });
});

test('an analysis of a day whose broker rows are no longer in memory is judged by them all the same', async () => {
  const params = { min_signals: 1, analysis_date: '2026-03-02', seller_lookback: 20 };
  const { result } = await submitRun(tenant.rest, params, '?wait=30');
  expect(result).toMatchObject({ as_of: '2026-03-02', diag: { seller_rule: 'brokers' } });
});

test('an empty body runs with all defaults, and tickers of an empty result are an empty list', async () => {
  const answer = await tenant.rest.send<JobBody>(`${RUNS}?wait=30`, { method: 'POST', endUser: 'alice' });
  expect(answer.status).toBe(200);
  const none = await submitRun(
    tenant.rest,
    { min_daily_val: 100_000_000_000, min_price: 10_000 },
    '?wait=30',
  );
  if ((none['summary'] as { pick_count: number }).pick_count === 0)
    expect(none['summary']).toMatchObject({ tickers: [] });
});

test('the usage row of a run stands in ClickHouse for analysts within two seconds of its end', async () => {
  const job = await submitRun(tenant.rest, {}, '?wait=30');
  const finished = Date.now();
  const sql = `SELECT status FROM usage.event FINAL WHERE job_id = '${job.job_id}' AND api_key_id = '${tenant.keyId}'`;
  await expect.poll(async () => asAnalyst(await fleetFile(), sql), { timeout: 2_000 }).toBe('succeeded');
  expect(Date.now() - finished).toBeLessThan(2_000);
});

test.each([
  ['no X-End-User', undefined, 422, 'missing_end_user'],
  ['an @ in X-End-User', 'a@b', 400, 'invalid_end_user'],
  ['65 characters in X-End-User', 'a'.repeat(65), 400, 'invalid_end_user'],
])('a run with %s is refused', async (_, endUser, status, code) => {
  const answer = await tenant.rest.post(RUNS, {}, endUser === undefined ? {} : { endUser });
  expect([answer.status, errorCode(answer)]).toEqual([status, code]);
});

test.each([
  [{ unheard_of: 1 }, /unheard_of.*lookback/],
  [{ lookback: 0 }, /lookback/],
  [{ lookback: 11 }, /lookback/],
  [{ lookback: 2.5 }, /lookback/],
  [{ lookback: '5' }, /lookback/],
  [{ min_signals: 0 }, /min_signals/],
  [{ seller_filter: 'true' }, /seller_filter/],
  [{ analysis_date: '2025-02-30' }, /analysis_date/],
  [{ analysis_date: 20250201 }, /analysis_date/],
  [{ max_picks: null }, /max_picks/],
])('parameters %j are refused with a message that names the field', async (params, message) => {
  const answer = await tenant.rest.post(RUNS, { params }, { endUser: 'alice' });
  expect([answer.status, errorCode(answer)]).toEqual([422, 'invalid_request']);
  expect((answer.body as { error: { message: string } }).error.message).toMatch(message);
  expect((answer.body as { detail: unknown[] }).detail).not.toHaveLength(0);
});

test.each([
  ['?wait=61', {}],
  ['?wait=-1', {}],
  ['?wait=soon', {}],
  ['?view=compact', {}],
  ['?view=tiny', {}],
  ['?surprise=1', {}],
  ['', { params: [] }],
  ['', { params: {}, surprise: true }],
  ['', []],
])('query %s with body %j is refused as invalid_request', async (query, body) => {
  const answer = await tenant.rest.post(RUNS + query, body, { endUser: 'alice' });
  expect([answer.status, errorCode(answer)]).toEqual([422, 'invalid_request']);
});

test('a model that is not published is 404 model_not_found, for runs too', async () => {
  const answer = await tenant.rest.post('/api/v1/models/backtest_v1/runs', {}, { endUser: 'alice' });
  expect([answer.status, errorCode(answer)]).toEqual([404, 'model_not_found']);
});

test('jobs are listed newest first, without results, and only for their own key', async () => {
  const mine = await newTenant();
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.push((await submitRun(mine.rest, {}, '?wait=30')).job_id);
  const { body } = await mine.rest.get<{ jobs: JobBody[]; count: number }>('/api/v1/jobs?limit=2');
  expect(body.jobs.map((job) => job.job_id)).toEqual(ids.toReversed().slice(0, 2));
  expect(body.count).toBe(2);
  for (const job of body.jobs) expect(job).not.toHaveProperty('result');

  const theirs = await tenant.rest.get<{ jobs: JobBody[] }>('/api/v1/jobs?limit=100');
  expect(theirs.body.jobs.some((job) => ids.includes(job.job_id))).toBe(false);
  for (const id of ids) {
    const answer = await tenant.rest.get(`/api/v1/jobs/${id}`);
    expect([answer.status, errorCode(answer)]).toEqual([404, 'job_not_found']);
  }
});

test.each(['0', '101', 'many', '1.5', ''])('jobs with limit=%s is refused', async (limit) => {
  const answer = await tenant.rest.get(`/api/v1/jobs?limit=${limit}`);
  expect([answer.status, errorCode(answer)]).toEqual([422, 'invalid_request']);
});

test.each(['job_000000000000000000000000', 'nonsense', '%00', 'a'.repeat(2000)])(
  'an unknown job id is 404 job_not_found (%#)',
  async (id) => {
    const answer = await tenant.rest.get(`/api/v1/jobs/${id}`);
    expect([answer.status, errorCode(answer)]).toEqual([404, 'job_not_found']);
  },
);

const daysBefore = (day: string, days: number) =>
  new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);

test('the effective date is the trading day analysed, in params and in as_of; an earlier date is honoured', async () => {
  const latest = await submitRun(tenant.rest, {}, '?wait=30');
  const latestDate = (latest.result as { as_of: string }).as_of;
  expect(latest['params']).toMatchObject({ analysis_date: latestDate });
  const earlier = daysBefore(latestDate, 60);
  const job = await submitRun(tenant.rest, { analysis_date: earlier }, '?wait=30');
  const { as_of } = job.result as { as_of: string };
  expect(job['params']).toMatchObject({ analysis_date: as_of });
  expect(as_of <= earlier && as_of > daysBefore(earlier, 15)).toBe(true);
});
