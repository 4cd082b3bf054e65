import { expect, test } from 'vitest';
import { ALICE, BOB, STRANGER, testScreens, type User } from '#support/services/test-screens.ts';
import { MODEL } from '#support/services/screened-market.ts';

const own = testScreens({ '2024-06-27': { BBCA: 90 }, '2024-06-28': { BBCA: 110, TLKM: 80 } });
const CALL = { requestId: 'req_test' };

const runOf = async ({ screen_id }: { screen_id: string }, user: User) =>
  own.screens.runScreen({ screen_id, ...user, as_of: undefined, columns: [] }, CALL);

test('a screen by model keeps its model and parameters, and running it says which run to submit', async () => {
  const screen = await own.createOfModel(ALICE, { max_picks: 3 });
  const kept = { model_id: MODEL, params: { max_picks: 3 }, rules: undefined, rules_text: undefined };
  expect(screen).toMatchObject({ version: 1, ...kept });
  expect(await own.get(screen, ALICE)).toMatchObject(kept);
  expect(await runOf(screen, ALICE)).toMatchObject({
    screen_id: screen.screen_id,
    version: 1,
    result: undefined,
    model_run: { model_id: MODEL, params: { max_picks: 3 } },
  });
  const { model_run } = await runOf(await own.createOfModel(ALICE, {}), ALICE);
  expect(model_run).toEqual({ model_id: MODEL, params: {} });
});

test('rules become a model and a model rules in the next version, and both stay readable', async () => {
  const { screen_id } = await own.create(ALICE, 'close > 100');
  const replaced = { screen_id, ...ALICE, name: 'x', universe: undefined, shared: false };
  await own.screens.replaceScreen({ ...replaced, rules: undefined, model_id: MODEL }, CALL);
  expect(await own.get({ screen_id }, ALICE)).toMatchObject({ version: 2, model_id: MODEL, params: {} });
  expect(await own.get({ screen_id }, ALICE, 1)).toMatchObject({
    rules_text: 'close > 100',
    model_id: undefined,
  });
  await own.screens.replaceScreen({ ...replaced, rules: 'close > 1' }, CALL);
  expect(await own.get({ screen_id }, ALICE)).toMatchObject({ rules_text: 'close > 1', model_id: undefined });
});

test('a screen by an unknown model is model_not_found', async () => {
  const created = own.create(ALICE, undefined, { model_id: 'none' });
  await expect(created).rejects.toMatchObject({ code: 'model_not_found' });
});

test('the universe becomes tickers of the run, a watchlist and a sector as they are when it runs', async () => {
  const { watchlist_id } = await own.watch(ALICE, ['BBCA']);
  const tickersOf = async (universe: object) => {
    const of = { sector: undefined, watchlist_id: undefined, tickers: [], ...universe };
    const screen = await own.createOfModel(ALICE, {}, { universe: of });
    return async () => (await runOf(screen, ALICE)).model_run?.params?.['tickers'] as unknown;
  };
  expect(await (await tickersOf({ tickers: ['universe:LQ45', 'bbca'] }))()).toEqual([
    'universe:LQ45',
    'bbca',
  ]);
  expect(await (await tickersOf({ sector: 'Energy' }))()).toEqual(['IN_Energy']);
  const ofWatchlist = await tickersOf({ watchlist_id });
  expect(await ofWatchlist()).toEqual(['BBCA']);
  const replacement = { watchlist_id, ...ALICE, name: 'banks', tickers: ['TLKM'], shared: false };
  await own.watchlists.replaceWatchlist(replacement, CALL);
  expect(await ofWatchlist()).toEqual(['TLKM']);
  await own.watchlists.deleteWatchlist({ watchlist_id, ...ALICE }, CALL);
  await expect(ofWatchlist()).rejects.toMatchObject({ code: 'watchlist_not_found' });
});

test('the past of a screen by model, and a simulation of it, first say whose past picks to ask for', async () => {
  const picks = { days: [], to: '2024-06-28', params: { max_picks: 3 }, step: 'day', backfill_id: 'bf_0' };
  const of = { sector: undefined, watchlist_id: undefined, tickers: ['tlkm', 'BBCA'] };
  const { screen_id } = await own.createOfModel(ALICE, { max_picks: 3 }, { universe: of });
  const asked = { screen_id, ...ALICE };
  const model_run = { model_id: MODEL, params: { max_picks: 3, tickers: ['tlkm', 'BBCA'] } };
  expect(await own.screens.getScreenPast(asked, CALL)).toMatchObject({ screen_id, version: 1, model_run });
  // With the picks, it is judged, which the market of these tests cannot do.
  const judged = own.screens.getScreenPast({ ...asked, past_picks: picks }, CALL);
  await expect(judged).rejects.toMatchObject({ code: 'not_found' });
  const money = { capital_idr: 100_000_000, max_positions: 10, rebalance: 'weekly', max_volume_pct: 5 };
  const barriers = { target_gain: 0.08, stop_loss: 0.05, horizon_days: 20 };
  const simulated = { ...asked, from: '2024-06-27', to: '2024-06-28', ...money, ...barriers };
  const first = await own.screens.prepareSimulation(simulated, CALL);
  expect(first).toMatchObject({ model_run });
  expect(first.params).toBeUndefined();
  const prepared = await own.screens.prepareSimulation({ ...simulated, past_picks: picks }, CALL);
  expect(prepared.model_run).toBeUndefined();
  expect(prepared).toMatchObject({
    params: { screen_id, screen_version: 1, model_id: MODEL, params: { max_picks: 3 } },
    trading_day: '2024-06-28',
  });
});

test('the past of a screen by model among a universe, whose members change, is refused', async () => {
  const of = { sector: undefined, watchlist_id: undefined, tickers: ['Universe:LQ45', 'BBCA'] };
  const { screen_id } = await own.createOfModel(ALICE, {}, { universe: of });
  await expect(own.screens.getScreenPast({ screen_id, ...ALICE }, CALL)).rejects.toMatchObject({
    code: 'unsupported_for_model_screen',
    message: expect.stringContaining('universe:LQ45') as string,
  });
});

test('a screen by model is shared, listed and kept from others as one by rules, and is not followed', async () => {
  const mine = await own.createOfModel(ALICE, {});
  const ours = await own.createOfModel(ALICE, {}, { shared: true });
  const followed = await own.create(ALICE, 'close > 0');
  expect((await runOf(ours, BOB)).model_run).toMatchObject({ model_id: MODEL });
  for (const [screen, user] of [
    [mine, BOB],
    [mine, STRANGER],
    [ours, STRANGER],
  ] as const)
    await expect(runOf(screen, user)).rejects.toMatchObject({ code: 'screen_not_found' });
  const { screens } = await own.screens.listScreens({ ...BOB, limit: 200 }, CALL);
  expect(screens.find(({ screen_id }) => screen_id === ours.screen_id)).toMatchObject({ model_id: MODEL });
  await own.untilFollowed(followed, ALICE, '2024-06-28');
  expect(await own.get(mine, ALICE)).toMatchObject({ members: undefined, failure: undefined });
  expect(own.market.followed.flat()).not.toContain(mine.screen_id);
});
