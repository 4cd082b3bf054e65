import { expect, test } from 'vitest';
import { newTenant, ownTenant } from '#support/fleets/contract.ts';
import { pollUntilFinal, type JobBody } from '#support/rest/jobs.ts';
import { errorCode } from '#support/rest/rest.ts';

/** Screens that run a model instead of rules. */

const tenant = ownTenant();
const ALICE = { endUser: 'alice' };
const BOB = { endUser: 'bob' };
const MODEL = 'confluence_filter';
const LOOSE = { min_signals: 1, min_price: 50, min_daily_val: 100_000_000, max_picks: 50 };

interface Result {
  df_result: { Ticker: string }[];
}

const start = (id: string, sent: object = ALICE, query = '') =>
  tenant.rest.post<JobBody>(`/api/v1/screens/${id}/run${query}`, undefined, sent);
const picksOf = ({ result }: JobBody) => (result as unknown as Result).df_result.map(({ Ticker }) => Ticker);

test('a screen by model starts a run of the end user, with the stocks of its universe as tickers', async () => {
  const { screens, watchlists, jobs } = tenant.client;
  const whole = await screens.create({ name: 'all', model_id: MODEL, params: LOOSE, ...ALICE });
  expect(whole).toMatchObject({ version: 1, model_id: MODEL, params: LOOSE, rules: null, rules_text: null });
  const response = await start(whole.screen_id);
  expect(response.status).toBe(202);
  expect(response.headers.get('location')).toBe(`/api/v1/jobs/${response.body.job_id}`);
  expect(response.body).toMatchObject({
    kind: 'model_run',
    target: MODEL,
    end_user: 'alice',
    params: LOOSE,
    duration_seconds: 0,
    result_available: false,
  });
  const all = picksOf(await pollUntilFinal(tenant.rest, response.body.job_id));
  expect(all.length).toBeGreaterThan(3);

  const { watchlist_id } = await watchlists.create({ name: 'few', tickers: [all[2]!, all[0]!], ...ALICE });
  const few = await screens.create({
    name: 'few',
    model_id: MODEL,
    params: LOOSE,
    universe: { watchlist_id },
    shared: true,
    ...ALICE,
  });
  // Bob has no watchlist of his own here: the screen looks among that of its owner.
  const job = await screens.submit(few.screen_id, BOB);
  expect(job).toMatchObject({ end_user: 'bob', params: { tickers: [all[2], all[0]] } });
  const ended = await pollUntilFinal(tenant.rest, job.job_id);
  expect(picksOf(ended)).toEqual([all[0], all[2]]);
  expect(await jobs.explain(job.job_id, all[1]!)).toMatchObject({ picked: false, fell_at: 'tickers' });

  const events = `/api/v1/usage/events?end_user=bob&model_id=${MODEL}`;
  const recorded = async () => (await tenant.rest.get<{ events: object[] }>(events)).body.events;
  await expect.poll(recorded).toMatchObject([{ job_id: job.job_id, status: 'succeeded', model_id: MODEL }]);
});

test.each([
  [{}, 422, ['body', 'rules'], 'or model_id instead'],
  [{ rules: '', model_id: MODEL }, 422, ['body', 'model_id'], 'must be left out if rules are sent'],
  [{ rules: '', params: {} }, 422, ['body', 'params'], 'must be left out without model_id'],
  [{ model_id: MODEL, params: { min_signals: 0 } }, 422, ['body', 'params', 'min_signals'], 'at least 1'],
  [{ model_id: MODEL, params: { tickers: ['BBCA'] } }, 422, ['body', 'params', 'tickers'], '`universe`'],
  [{ model_id: 'recovery_v4' }, 422, ['body', 'params', 'positions'], 'otherwise every run fails'],
])('the screen %j is refused with %i, and its place is named', async (body, status, loc, says) => {
  const sent = { name: 'x', ...body };
  const response = await tenant.rest.post<{ detail: object[] }>('/api/v1/screens', sent, ALICE);
  expect([response.status, errorCode(response)]).toEqual([status, 'invalid_request']);
  const msg = expect.stringContaining(says) as string;
  expect(response.body.detail).toEqual([expect.objectContaining({ loc, msg })]);
});

test('a key needs models:run too to run a screen by model, but not one by rules', async () => {
  const reader = await newTenant('screens:read,screens:write,models:read');
  const { screens } = reader.client;
  const byModel = await screens.create({ name: 'd', model_id: MODEL });
  const byRules = await screens.create({ name: 'r', rules: 'limit 1' });
  await expect(screens.submit(byModel.screen_id)).rejects.toMatchObject({
    status: 403,
    code: 'insufficient_scope',
    message: expect.stringContaining('models:run') as string,
  });
  expect((await screens.run(byRules.screen_id)).rows).toHaveLength(1);
});
