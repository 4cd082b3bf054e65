import { beforeAll, describe, expect, test } from 'vitest';
import { untilEnded, type BackfillBody } from '#support/rest/backfills.ts';
import { ownTenant } from '#support/fleets/contract.ts';
import { submitRunOf, type JobBody } from '#support/rest/jobs.ts';

/** Runs that name the stocks that may be picked. */

const tenant = ownTenant();
const MODEL = 'confluence_filter';
const LOOSE = { min_signals: 1, min_price: 50, min_daily_val: 100_000_000, max_picks: 50 };
const ALICE = { endUser: 'alice' };

interface Result {
  df_result: { Ticker: string; Rank: number }[];
  diag: { dataset_version: string };
  missing?: string[];
}

const resultOf = (job: JobBody) => job.result as unknown as Result;
const run = (params: object) => submitRunOf(tenant.rest, MODEL, { ...LOOSE, ...params }, '?wait=60');

let whole: Result;
let picks: string[];
beforeAll(async () => {
  whole = resultOf(await run({}));
  picks = whole.df_result.map(({ Ticker }) => Ticker);
});

test('a run picks only among its tickers, in any case, and each pick is as without them', async () => {
  expect(picks.length).toBeGreaterThan(3);
  const asked = picks.filter((_, at) => at % 2 === 1);
  const job = await run({ tickers: [...asked.map((one) => ` ${one.toLowerCase()} `), asked[0], 'ZZZZ'] });
  expect(job['params']).toMatchObject({ tickers: [...asked, 'ZZZZ'] });
  const { df_result, missing } = resultOf(job);
  expect(df_result).toEqual(whole.df_result.filter(({ Ticker }) => asked.includes(Ticker)));
  expect(missing).toEqual(['ZZZZ']);
  expect(whole).not.toHaveProperty('missing');
  const { params } = await run({});
  expect(params).not.toHaveProperty('tickers');

  const explained = await tenant.client.jobs.explain(job.job_id, picks[0]!);
  expect(explained).toMatchObject({ picked: false, place: 1, fell_at: 'tickers' });
  const never = await tenant.rest.get(`/api/v1/jobs/${job.job_id}/explain?ticker=NEVR`);
  expect([never.status, JSON.stringify(never.body)]).toEqual([
    404,
    expect.stringContaining('not among the tickers asked for'),
  ]);
  // The record of a run lands in ClickHouse a moment after the run ends.
  await expect
    .poll(async () => {
      const { body } = await tenant.rest.get<{ events: { params: object }[] }>(
        '/api/v1/usage/events?limit=200',
      );
      return body.events.map((event) => event.params);
    })
    .toContainEqual(expect.objectContaining({ tickers: [...asked, 'ZZZZ'] }));
});

test('a model trained for the whole market is not trained again', async () => {
  const params = { min_probability: 30, min_price: 100, min_daily_val: 100_000_000 };
  const first = await submitRunOf(tenant.rest, 'regime_adaptive_v6', params, '?wait=60');
  const all = first.result as unknown as Result & { diag: { model: { origin: string } } };
  const tickers = all.df_result.slice(1).map(({ Ticker }) => Ticker);
  const job = await submitRunOf(tenant.rest, 'regime_adaptive_v6', { ...params, tickers }, '?wait=60');
  const limited = job.result as unknown as typeof all;
  expect(limited.diag.model.origin).toBe('reused');
  expect(limited.df_result).toEqual(all.df_result.slice(1));
});

describe('refuses', () => {
  const post = (tickers: unknown, headers = {}) =>
    tenant.rest.post<{ error: { message: string } }>(
      `/api/v1/models/${MODEL}/runs`,
      { params: { tickers } },
      { ...ALICE, headers },
    );

  test.each([
    [[], 422, 'must have at least 1 item'],
    [['BBCA', ''], 422, 'must be a ticker'],
    ['BBCA', 422, 'must be an array'],
    [['ZZZZ'], 404, 'no data for any of these tickers'],
    [['universe:none'], 404, "no universe 'NONE'"],
  ])('the tickers %j with %i', async (tickers, status, says) => {
    const response = await post(tickers);
    expect([response.status, response.body.error.message]).toEqual([status, expect.stringContaining(says)]);
  });

  test.each([
    ['a backfill', `/api/v1/models/${MODEL}/backfills`, { step: 'day' }],
    ['a simulation', '/api/v1/simulations', { model_id: MODEL, capital_idr: 100_000_000 }],
  ])('no tickers in %s, which would be the whole market', async (_what, path, body) => {
    const sent = { from: '2024-06-03', to: '2024-06-28', ...body, params: { tickers: [] } };
    const response = await tenant.rest.post<{ error: { message: string } }>(path, sent, ALICE);
    expect([response.status, response.body.error.message]).toEqual([
      422,
      'params.tickers: must have at least 1 item',
    ]);
  });
});

test('every page of a backfill picks among the tickers, and universes are refused', async () => {
  const { as_of } = (await tenant.client.screens.preview({ rules: 'limit 1', ...ALICE })) as {
    as_of: string;
  };
  const path = `/api/v1/models/${MODEL}/backfills`;
  const start = (tickers: string[]) =>
    tenant.rest.post<BackfillBody>(
      path,
      { from: as_of, to: as_of, step: 'day', params: { ...LOOSE, tickers } },
      ALICE,
    );
  const refused = await start(['universe:lq45']);
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([
    422,
    expect.stringContaining('a universe has other members on each day'),
  ]);
  const { body } = await start([picks[1]!.toLowerCase()]);
  const { pages_url } = await untilEnded(tenant.rest, body.backfill_id);
  const { body: all } = await tenant.rest.get<{ pages: { tickers: string[] }[] }>(String(pages_url));
  expect(all.pages.map(({ tickers }) => tickers)).toEqual([[picks[1]]]);
});
