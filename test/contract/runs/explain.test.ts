import { beforeAll, describe, expect, inject, test } from 'vitest';
import { resultOf, SaringClient } from '#client/index.ts';
import { ownTenant } from '#support/fleets/contract.ts';
import { Rest } from '#support/rest/rest.ts';

const tenant = ownTenant();

/** Loose enough for the sample market to have picks, and few enough picks that most stocks are not among them. */
const PARAMS = {
  min_price: 100,
  min_daily_val: 100_000_000,
  min_probability: 40,
  min_signals: 1,
  max_picks: 2,
};

const { body: overview } = await new Rest(inject('baseUrl'), inject('demoKey')).get<{
  inflow: { ticker: string }[];
  outflow: { ticker: string }[];
}>('/api/v1/data/flows?min_abs_val=0&min_price=50&min_daily_val=100000000&top_n=50');
const tickers = [...overview.inflow, ...overview.outflow].map(({ ticker }) => ticker);

async function succeeded(model: 'confluence_filter' | 'recovery_v4', params: object) {
  const job = await tenant.client.runAndWait(model, { params: { ...params } });
  expect(job, JSON.stringify(job.error)).toMatchObject({ status: 'succeeded' });
  return job;
}

async function movers() {
  const { top_gainers, top_losers } = await tenant.client.data.overview();
  const of = (list: { ticker: string }[]) => list.map(({ ticker }) => ticker);
  return { gainers: of(top_gainers), losers: of(top_losers) };
}

const inEnglish = () =>
  new SaringClient({ baseUrl: inject('baseUrl'), apiKey: tenant.key, endUser: 'alice', language: 'en' });

describe('a ticker of a run', () => {
  let jobId: string;
  let picks: { Ticker: string; reasons: string[]; contributions: unknown }[];
  beforeAll(async () => {
    const job = await tenant.client.runAndWait('model_f_combined', { params: PARAMS });
    [jobId, picks] = [job.job_id, resultOf(job).df_result];
  });

  test('that was picked has the contributions and reasons of the result', async () => {
    expect(picks.length).toBeGreaterThan(0);
    for (const [i, { Ticker, reasons, contributions }] of picks.entries()) {
      expect(reasons).toHaveLength(5);
      const explained = await tenant.client.jobs.explain(jobId, Ticker.toLowerCase());
      expect(explained).toMatchObject({ ticker: Ticker, picked: true, place: i + 1, fell_at: null });
      expect(explained).toMatchObject({ reasons, contributions, shortfalls: [] });
    }
  });

  test('of the market is explained, or outside for one cause, but never unknown', async () => {
    const { gainers, losers } = await movers();
    const outside: string[] = [];
    for (const ticker of [...tickers.slice(0, 20), ...gainers, ...losers])
      await tenant.client.jobs.explain(jobId, ticker).catch((error: Error) => outside.push(error.message));
    const isOutside = (why: string) => why.includes(' is not in the universe of this run of ');
    expect(outside.filter((why) => !isOutside(why))).toEqual([]);
  });

  test('outside the universe is 404 with the reason', async () => {
    await expect(tenant.client.jobs.explain(jobId, 'ZZZZ')).rejects.toMatchObject({
      status: 404,
      code: 'not_found',
      message: expect.stringMatching(/^The data of this run, up to [\d-]+, does not have ZZZZ\.$/) as string,
    });
  });

  test('and the result are in English on request', async () => {
    const english = inEnglish();
    const { Ticker, reasons, contributions } = picks[0]!;
    const explained = await english.jobs.explain(jobId, Ticker);
    expect(explained.notice).toContain('no recommendation');
    expect(explained.message).toContain('is in the result');
    const { result } = await english.jobs.get(jobId);
    const row = (result as { df_result: typeof picks }).df_result[0]!;
    expect(row.reasons).toEqual(explained.reasons);
    expect(row.reasons).not.toEqual(reasons);
    expect(row.contributions).toEqual(contributions);
  });
});

test('explanations of a run without training have steps but no contributions', async () => {
  const job = await succeeded('confluence_filter', { min_signals: 1 });
  const [ticker] = job.summary!.tickers;
  const explained = await tenant.client.jobs.explain(job.job_id, ticker!);
  expect(explained).toMatchObject({ picked: true, place: 1, contributions: null, reasons: [] });
  expect(explained.steps.map(({ name }) => name)).toEqual([
    'total_scanned',
    'total_liquid',
    'total_hits',
    'after_seller_filter',
    'final',
  ]);
});

test('positions are explained class by class; other tickers are not found', async () => {
  const positions = tickers.slice(0, 2).map((ticker) => ({ ticker, pnl_input: -5 }));
  const job = await succeeded('recovery_v4', { positions });
  const explained = await tenant.client.jobs.explain(job.job_id, positions[0]!.ticker);
  expect(explained.contributions).toHaveProperty('base_values.CRASH');
  expect(explained.reasons).toHaveLength(5);
  await expect(tenant.client.jobs.explain(job.job_id, tickers[9]!)).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('positions') as string,
  });
});

test('a failed run has no explanation, and the message says why', async () => {
  const failed = await tenant.client.runAndWait('recovery_v4');
  await expect(tenant.client.jobs.explain(failed.job_id, tickers[0]!)).rejects.toMatchObject({
    status: 404,
    code: 'not_found',
    message: expect.stringMatching(/is failed/) as string,
  });
});
