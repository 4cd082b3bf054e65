import { beforeAll, describe, expect, test } from 'vitest';
import type { Schemas } from '#client/index.ts';
import { untilEnded, type BackfillBody } from '#support/rest/backfills.ts';
import { newTenant, ownTenant } from '#support/fleets/contract.ts';
import { pollUntilFinal, type JobBody } from '#support/rest/jobs.ts';
import { errorCode } from '#support/rest/rest.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

/** The past of screens by model, and simulations of them: both follow the picks of a finished backfill. */

const tenant = ownTenant();
const ALICE = { endUser: 'alice' };
const MODEL = 'confluence_filter';
const LOOSE = { min_signals: 1, min_price: 50, min_daily_val: 100_000_000, max_picks: 5 };
/** Positions are held for five days, and wait for a bid for five more. */
const HELD = 5;
const UNDECIDED_DAYS = 10;

interface Mistakes {
  detail: { loc: string[]; msg: string; ctx: Record<string, unknown> }[];
}

let day: string;
let from: string;
beforeAll(async () => {
  ({ date: day } = await tenant.client.data.overview());
  from = new Date(Date.parse(day) - 80 * DAY_MS).toISOString().slice(0, 10);
});

const screenOf = async (params: Record<string, unknown>, more: object = {}, of = tenant) =>
  (await of.client.screens.create({ name: 'm', model_id: MODEL, params, shared: true, ...more, ...ALICE }))
    .screen_id;
const pastOf = <T = Schemas['ScreenPast']>(
  screenId: string,
  query = `from=${from}`,
  { of = tenant, user = ALICE } = {},
) => of.rest.get<T>(`/api/v1/screens/${screenId}/past?horizon_days=${HELD}&${query}`, user);

/** What a past that no backfill covers says is to be submitted. */
async function missingFor(screenId: string, query?: string): Promise<Mistakes['detail'][0]> {
  const { status, body } = await pastOf<Mistakes>(screenId, query);
  expect(status).toBe(422);
  return body.detail[0]!;
}

async function backfilled(body: object): Promise<BackfillBody> {
  const path = `/api/v1/models/${MODEL}/backfills`;
  const started = await tenant.rest.post<BackfillBody>(path, body, ALICE);
  expect(started.status).toBe(202);
  return untilEnded(tenant.rest, started.body.backfill_id);
}

/** The days of a backfill and their number of picks. */
async function pagesOf(backfillId: string) {
  const pages: { as_of: string; tickers: string[] }[] = [];
  for await (const page of tenant.client.backfills.pages(backfillId)) pages.push(page);
  return pages;
}

describe('the past of a screen by model', () => {
  test('says which backfill is missing, and is that of its picks once it is there', async () => {
    // The days of the backfill take the place of the day of a run.
    const screenId = await screenOf({ ...LOOSE, analysis_date: day });
    const { loc, msg, ctx } = await missingFor(screenId);
    expect(loc).toEqual(['query', 'from']);
    expect(msg).toContain(`/api/v1/models/${MODEL}/backfills`);
    expect(ctx).toMatchObject({ from, step: 'day', params: LOOSE });
    expect(ctx['params']).not.toHaveProperty('analysis_date');
    const { backfill_id } = await backfilled(ctx);
    const { status, body } = await pastOf(screenId);
    expect(status).toBe(200);
    const pages = await pagesOf(backfill_id);
    expect(body).toMatchObject({ step: 'day', backfill_id, open_days: UNDECIDED_DAYS, to: ctx['to'] });
    expect([body.from, body.to]).toEqual([pages[0]!.as_of, pages.at(-1)!.as_of]);
    expect(body.all.days).toBe(pages.length);
    expect(body.all.days_with_picks).toBe(pages.filter(({ tickers }) => tickers.length > 0).length);
    const picked = pages.reduce((sum, { tickers }) => sum + tickers.length, 0);
    expect(body.all.picks + body.all.unfilled).toBe(picked);
    expect(picked).toBeGreaterThan(20);
    expect(body.verdict).toMatch(/shown|worse/);
  });

  test('of a weekly backfill counts the last days of weeks alone, and says so', async () => {
    const params = { ...LOOSE, max_picks: 4 };
    const screenId = await screenOf(params);
    const { backfill_id } = await backfilled({ params, from, to: day, step: 'week' });
    const { body } = await pastOf(screenId);
    expect(body).toMatchObject({ step: 'week', backfill_id });
    const judged = (await pagesOf(backfill_id)).filter(({ as_of }) => as_of <= body.to);
    expect(body.all.days).toBe(judged.length);
    // A span that ends within a week does not want its last day, which the backfill lacks.
    const midweek = new Date(Date.parse(judged.at(-1)!.as_of) - 2 * DAY_MS).toISOString().slice(0, 10);
    const shorter = await pastOf(screenId, `from=${from}&to=${midweek}`);
    expect(shorter.body).toMatchObject({ step: 'week', all: { days: judged.length - 1 } });
  });

  test('counts as one trial of its end user, and one by daily instead of weekly picks as another', async () => {
    const params = { ...LOOSE, max_picks: 3 };
    const screenId = await screenOf(params);
    await backfilled({ params, from, to: day, step: 'week' });
    const carol = { user: { endUser: 'carol' } };
    const triedBy = async () => (await pastOf(screenId, undefined, carol)).body.trials.count;
    expect([await triedBy(), await triedBy()]).toEqual([1, 1]);
    await backfilled({ params, from, to: day, step: 'day' });
    expect(await triedBy()).toBe(2);
  });

  test('has the stocks of its universe as they are now, in whichever order a backfill names them', async () => {
    const { rows } = await tenant.client.screens.preview({ rules: 'is_liquid limit 3', ...ALICE });
    const tickers = rows.map(({ ticker }) => ticker);
    const { watchlists } = tenant.client;
    const { watchlist_id } = await watchlists.create({ name: 'w', tickers, ...ALICE });
    const screenId = await screenOf(LOOSE, { universe: { watchlist_id } });
    const { ctx } = await missingFor(screenId);
    expect(ctx['params']).toMatchObject({ tickers: tickers.toSorted() });
    await backfilled({ ...ctx, params: { ...LOOSE, tickers: tickers.toReversed() } });
    expect((await pastOf(screenId)).status).toBe(200);
    await watchlists.replace(watchlist_id, { name: 'w', tickers: tickers.slice(1), ...ALICE });
    await missingFor(screenId);
  });

  test('over a span of which nothing is known is not found', async () => {
    const open = await pastOf(await screenOf(LOOSE), `from=${day}`);
    expect([open.status, errorCode(open)]).toEqual([404, 'not_found']);
  });

  test('takes no backfill of another key, and needs models:run, which one by rules does not', async () => {
    const params = { ...LOOSE, max_picks: 2 };
    const screenId = await screenOf(params);
    await backfilled({ params, from, to: day, step: 'week' });
    expect((await pastOf(screenId)).status).toBe(200);
    const stranger = await newTenant();
    expect(errorCode(await pastOf(screenId, undefined, { of: stranger }))).toBe('screen_not_found');
    const theirs = await screenOf(params, {}, stranger);
    expect((await pastOf(theirs, undefined, { of: stranger })).status).toBe(422);
    const reader = await newTenant('screens:read,screens:write,models:read');
    const read = await screenOf(params, {}, reader);
    const refused = await pastOf(read, undefined, { of: reader });
    expect([refused.status, errorCode(refused)]).toEqual([403, 'insufficient_scope']);
    const { screen_id } = await reader.client.screens.create({ name: 'r', rules: 'is_liquid', ...ALICE });
    const { body } = await pastOf(screen_id, undefined, { of: reader });
    expect(body).toMatchObject({ step: 'day', backfill_id: null });
  });
});

test('a simulation of a screen by model comes to what one of its model and parameters comes to', async () => {
  const params = { ...LOOSE, max_picks: 6 };
  const screen_id = await screenOf(params);
  const money = { from, to: day, capital_idr: 100_000_000, horizon_days: HELD };
  const submitted = (followed: object) =>
    tenant.rest.post<JobBody>('/api/v1/simulations', { ...money, ...followed }, ALICE);
  const refused = (await submitted({ screen_id })) as unknown as { status: number; body: Mistakes };
  expect(refused.status).toBe(422);
  const { loc, ctx } = refused.body.detail[0]!;
  expect(loc).toEqual(['body', 'from']);
  expect(ctx).toMatchObject({ step: 'week', params });
  const { backfill_id } = await backfilled(ctx);
  const resultOf = async (followed: object) => {
    const { status, body } = await submitted(followed);
    expect(status).toBe(202);
    const job = await pollUntilFinal(tenant.rest, body.job_id);
    expect(job.status).toBe('succeeded');
    return job;
  };
  const [byScreen, byModel] = [await resultOf({ screen_id }), await resultOf({ model_id: MODEL, params })];
  expect(byScreen).toMatchObject({
    target: screen_id,
    params: { screen_id, screen_version: 1, model_id: MODEL },
  });
  const { days, trades, trials } = byScreen.result as unknown as Schemas['SimulationResult'];
  expect(trades.length).toBeGreaterThan(0);
  expect(byModel.result).toMatchObject({ days, trades, trials });
  const pages = await pagesOf(backfill_id);
  const picked = pages.flatMap(({ as_of, tickers }) => tickers.map((ticker) => `${as_of} ${ticker}`));
  for (const { ticker, picked_on } of trades) expect(picked).toContain(`${picked_on} ${ticker}`);
});
