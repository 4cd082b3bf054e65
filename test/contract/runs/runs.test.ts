import { expect, inject, test } from 'vitest';
import { asAnalyst } from '#support/fleets/analyst.ts';
import { resultOf, type Schemas } from '#client/index.ts';
import { newTenant, ownTenant, testOfOwnFleet } from '#support/fleets/contract.ts';
import { fleetFileIn } from '#support/fleets/fleet.ts';
import { pollUntilFinal, type JobBody } from '#support/rest/jobs.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

const ownTest = testOfOwnFleet('stores on this machine');
const tenant = ownTenant();
const RUNS = '/api/v1/models/confluence_filter/runs';
const MODEL = 'confluence_filter';
/** Runs the model with the client's defaults, as most applications do. */
const run = (params: Record<string, unknown> = {}) => tenant.client.runAndWait(MODEL, { params });

test('a run is accepted with 202, polled until it succeeds, and carries its result', async () => {
  const { status, data: accepted } = await tenant.client.rest.request(
    'post',
    '/api/v1/models/{model_id}/runs',
    { path: { model_id: MODEL }, body: { params: { lookback: 7 } }, endUser: 'alice' },
  );
  expect(status).toBe(202);
  expect(accepted).toMatchObject({
    job_id: expect.stringMatching(/^job_[0-9a-f]+$/) as string,
    kind: 'model_run',
    target: 'confluence_filter',
    status: expect.stringMatching(/^(queued|running)$/) as string,
    params: { lookback: 7, min_signals: 2, max_picks: 20 },
    finished_at: null,
    end_user: 'alice',
    poll_url: `/api/v1/jobs/${accepted.job_id}`,
    result_available: false,
  });
  expect(accepted).not.toHaveProperty('result');

  const job = await pollUntilFinal(tenant.rest, accepted.job_id);
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
  const { status, data, headers } = await tenant.client.rest.request(
    'post',
    '/api/v1/models/{model_id}/runs',
    { path: { model_id: MODEL }, query: { wait: 30 }, body: { params: {} } },
  );
  expect(status).toBe(200);
  expect(data).toMatchObject({ status: 'succeeded', result_available: true });
  expect(data.result).toHaveProperty('df_result');
  expect(headers.get('x-dataset-version')).toBe(
    (data.result as Schemas['ConfluenceFilterResult']).dataset.version,
  );
});

test('every row has the fields and formats of the contract', async () => {
  const { df_result: rows, diag } = resultOf(await run({ min_signals: 1, max_picks: 50 }));
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
  expect(total_scanned).toBeGreaterThanOrEqual(total_hits);
  expect(total_hits).toBeGreaterThanOrEqual(after_seller_filter);
  expect(after_seller_filter).toBeGreaterThanOrEqual(final);
  expect(final).toBe(rows.length);
});

test('an analysis uses the broker rows of its day even when they are no longer in memory', async () => {
  const params = { min_signals: 1, analysis_date: '2026-03-02', seller_lookback: 20 };
  expect(resultOf(await run(params))).toMatchObject({
    as_of: '2026-03-02',
    diag: { seller_rule: 'brokers' },
  });
});

test('an empty body is accepted, and the summary has as many tickers as picks', async () => {
  const response = await tenant.rest.send<JobBody>(`${RUNS}?wait=30`, { method: 'POST', endUser: 'alice' });
  expect(response.status).toBe(200);
  const { summary } = await run({ min_daily_val: 100_000_000_000, min_price: 10_000 });
  expect(summary!.tickers).toHaveLength(summary!.pick_count);
});

ownTest(
  'the usage row of a run stands in ClickHouse for analysts, with its dataset and its error',
  async () => {
    const file = await fleetFileIn(inject('stateDir'));
    const rowOf = ({ job_id }: { job_id: string }) => {
      const columns = 'status, dataset_version, dataset_kind, error_code';
      return asAnalyst(
        file,
        `SELECT ${columns} FROM usage.run_v3 WHERE job_id = '${job_id}' AND api_key_id = '${tenant.keyId}'`,
      );
    };
    const job = await run();
    const { version, kind } = resultOf(job).dataset;
    await expect.poll(() => rowOf(job)).toBe(['succeeded', version, kind].join('\t'));
    const failed = await tenant.client.runAndWait('recovery_v4');
    await expect.poll(() => rowOf(failed)).toBe(['failed', version, kind, 'no_positions'].join('\t'));
  },
);

test('an unknown parameter is refused with a message that lists those that there are', async () => {
  await expect(tenant.client.runs.submit(MODEL, { params: { unheard_of: 1 } })).rejects.toMatchObject({
    status: 422,
    code: 'invalid_request',
    message: expect.stringMatching(/unheard_of.*lookback/) as string,
  });
});

test('jobs are listed newest first and without results', async () => {
  const mine = await newTenant();
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.push((await mine.client.runAndWait(MODEL)).job_id);
  const { jobs, count } = await mine.client.rest.get('/api/v1/jobs', { query: { limit: 2 } });
  expect(jobs.map((job) => job.job_id)).toEqual(ids.toReversed().slice(0, 2));
  expect(count).toBe(2);
  for (const job of jobs) expect(job).not.toHaveProperty('result');
});

const daysBefore = (day: string, days: number) =>
  new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);

test('params and as_of give the trading day analysed; an earlier analysis_date is honoured', async () => {
  const latest = await run();
  const latestDate = resultOf(latest).as_of;
  expect(latest.params).toMatchObject({ analysis_date: latestDate });
  const earlier = daysBefore(latestDate, 60);
  const job = await run({ analysis_date: earlier });
  const { as_of } = resultOf(job);
  expect(job.params).toMatchObject({ analysis_date: as_of });
  expect(as_of <= earlier && as_of > daysBefore(earlier, 15)).toBe(true);
});
