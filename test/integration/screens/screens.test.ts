import { expect, test } from 'vitest';
import { MODEL } from '#support/services/screened-market.ts';
import { ALICE, BOB, STRANGER, testScreens } from '#support/services/test-screens.ts';

const own = testScreens({
  '2024-06-27': { BBCA: 90, TLKM: 120 },
  '2024-06-28': { BBCA: 110, TLKM: 80 },
});
const CALL = { requestId: 'req_test' };
const UNKNOWN = { code: 'screen_not_found' };

test('nobody but its owner knows a screen that is not shared', async () => {
  const screen = await own.create(ALICE, 'close > 100');
  const { screen_id } = screen;
  for (const user of [BOB, STRANGER]) {
    const named = { screen_id, ...user };
    const content = { name: 'x', rules: 'close > 1', universe: undefined, shared: true };
    const attempts = [
      () => own.get(screen, user),
      () => own.get(screen, user, 1),
      () => own.run(screen, user),
      () => own.changes(screen, user),
      () => own.screens.explainScreen({ ...named, ticker: 'BBCA' }, CALL),
      () => own.screens.replaceScreen({ ...named, ...content }, CALL),
      () => own.screens.deleteScreen(named, CALL),
    ];
    for (const attempt of attempts)
      await expect(attempt()).rejects.toMatchObject({ ...UNKNOWN, message: 'There is no such screen.' });
    const { screens } = await own.screens.listScreens({ ...user, limit: 200 }, CALL);
    expect(screens.map((one) => one.screen_id)).not.toContain(screen_id);
  }
  expect(await own.get(screen, ALICE)).toMatchObject({ version: 1, shared: false });
});

test('every end user of the key reads and runs a shared screen, which its owner alone changes', async () => {
  const screen = await own.create(ALICE, 'close > 100', { shared: true });
  const { screen_id } = screen;
  expect(await own.get(screen, BOB)).toMatchObject({ end_user: 'alice', shared: true });
  expect(await own.run(screen, BOB)).toEqual(['BBCA']);
  expect(await own.run(screen, BOB, '2024-06-27')).toEqual(['TLKM']);
  const content = { name: 'x', rules: 'close > 1', universe: undefined, shared: false };
  const ofBob = { screen_id, ...BOB };
  const refusal = { ...UNKNOWN, message: 'Only the owner of a shared screen can change it.' };
  await expect(own.screens.replaceScreen({ ...ofBob, ...content }, CALL)).rejects.toMatchObject(refusal);
  await expect(own.screens.deleteScreen(ofBob, CALL)).rejects.toMatchObject(refusal);
  await expect(own.get(screen, STRANGER)).rejects.toMatchObject(UNKNOWN);

  await own.screens.replaceScreen({ screen_id, ...ALICE, ...content }, CALL);
  await expect(own.get(screen, BOB)).rejects.toMatchObject(UNKNOWN);
});

test('of those who replace the version that they have read, one succeeds and the others are told', async () => {
  const { screen_id } = await own.create(ALICE, 'close > 100');
  const attempts = Array.from({ length: 5 }, (_, i) => {
    const content = { name: `try ${i}`, rules: 'close > 1', universe: undefined, shared: false };
    return own.screens.replaceScreen({ screen_id, ...ALICE, ...content, version: 1 }, CALL).then(
      ({ screen }) => String(screen!.version),
      ({ code }: { code: string }) => code,
    );
  });
  expect((await Promise.all(attempts)).toSorted()).toEqual(['2', ...Array<string>(4).fill('stale_version')]);
});

test('deleting a screen leaves nothing of it in any table', async () => {
  const screen = await own.create(ALICE, 'close > 100');
  const { screen_id } = screen;
  await own.untilFollowed(screen, ALICE, '2024-06-28');
  expect(await own.screens.deleteScreen({ screen_id, ...ALICE }, CALL)).toEqual({ screen_id, deleted: true });
  await expect(own.get(screen, ALICE)).rejects.toMatchObject(UNKNOWN);
  await expect(own.screens.deleteScreen({ screen_id, ...ALICE }, CALL)).rejects.toMatchObject(UNKNOWN);
  for (const table of ['screen', 'screen_version', 'screen_place', 'screen_change']) {
    const query = `select from screens.${table} where screen_id = $1`;
    expect((await own.database.query(query, [screen_id])).rowCount, table).toBe(0);
  }
});

test('pages hold every screen of the caller once, newest first, and their cursors are of no use to others', async () => {
  const user = { api_key_id: 'key_paged', end_user: 'carol' };
  const made: string[] = [];
  for (let i = 0; i < 5; i++) made.unshift((await own.create(user, `close > ${i}`)).screen_id);
  const listed: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await own.screens.listScreens({ ...user, limit: 2, cursor }, CALL);
    listed.push(...page.screens.map(({ screen_id }) => screen_id));
    expect(page.has_more).toBe(page.next_cursor !== undefined);
    if (page.next_cursor !== undefined)
      await expect(
        own.screens.listScreens({ ...ALICE, limit: 2, cursor: page.next_cursor }, CALL),
      ).rejects.toMatchObject({ code: 'invalid_cursor' });
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  expect(listed).toEqual(made);
});

test('a watchlist that the caller cannot read is refused as a universe', async () => {
  const { watchlist_id } = await own.watch(BOB, ['BBCA']);
  for (const unreadable of [watchlist_id, 'wl_000000000000000000000000', 'nonsense']) {
    const universe = { sector: undefined, watchlist_id: unreadable, tickers: [] };
    await expect(own.create(ALICE, 'close > 1', { universe })).rejects.toMatchObject({
      code: 'invalid_request',
      detail: [{ loc: ['universe', 'watchlist_id'] }],
    });
  }
});

test('a screen looks among the tickers that its watchlist has at the time, and fails once the watchlist is gone', async () => {
  const watchlist = await own.watch(ALICE, ['bbca', ' TLKM ', 'BBCA']);
  const { watchlist_id } = watchlist;
  expect(watchlist.tickers).toEqual(['BBCA', 'TLKM']);
  const universe = { sector: undefined, watchlist_id, tickers: [] };
  const screen = await own.create(ALICE, {}, { universe, shared: true });
  expect(await own.run(screen, BOB)).toEqual(['BBCA', 'TLKM']);
  const content = { name: 'x', tickers: ['TLKM'], shared: false };
  await own.watchlists.replaceWatchlist({ watchlist_id, ...ALICE, ...content }, CALL);
  expect(await own.run(screen, ALICE)).toEqual(['TLKM']);
  await own.watchlists.deleteWatchlist({ watchlist_id, ...ALICE }, CALL);
  await expect(own.run(screen, ALICE)).rejects.toMatchObject({ code: 'watchlist_not_found' });
});

test('tickers of a universe reach market-data as they were sent', async () => {
  const universe = { sector: undefined, watchlist_id: undefined, tickers: ['bbca', 'universe:LQ45'] };
  const screen = await own.create(ALICE, 'close > 1', { universe });
  await own.run(screen, ALICE);
  expect(own.market.universes.at(-1)).toEqual({ sector: undefined, tickers: ['bbca', 'universe:LQ45'] });
});

test('while market-data is unavailable, runs fail in time with data_unavailable, and screens can still be saved', async () => {
  const screen = await own.create(ALICE, 'close > 100');
  try {
    for (const how of ['fails', 'hangs'] as const) {
      own.market.unavailable = how;
      await expect(own.run(screen, ALICE)).rejects.toMatchObject({ code: 'data_unavailable' });
      await own.create(ALICE, 'close > 200');
    }
  } finally {
    own.market.unavailable = undefined;
  }
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
  await expect(own.get({ screen_id }, ALICE, 4)).rejects.toMatchObject(UNKNOWN);
  expect(await own.run({ screen_id }, ALICE)).toEqual(['BBCA', 'TLKM']);
});

test('the tickers of a run of a screen by model are its universe as it was sent, or the stocks of its sector', async () => {
  const tickersOf = async (universe: object) => {
    const of = { sector: undefined, watchlist_id: undefined, tickers: [], ...universe };
    const { screen_id } = await own.createOfModel(ALICE, {}, { universe: of });
    const run = { screen_id, ...ALICE, as_of: undefined, columns: [] };
    return (await own.screens.runScreen(run, CALL)).model_run?.params?.['tickers'] as unknown;
  };
  const tickers = ['universe:LQ45', 'bbca'];
  expect(await tickersOf({ tickers })).toEqual(tickers);
  expect(await tickersOf({ sector: 'Energy' })).toEqual(['IN_Energy']);
});

test('a screen by model is listed to whoever shares it and to no other key, and is not followed', async () => {
  const [mine, ours] = [
    await own.createOfModel(ALICE, {}),
    await own.createOfModel(ALICE, {}, { shared: true }),
  ];
  const followed = await own.create(ALICE, 'close > 0');
  for (const [user, listed] of [
    [BOB, [ours.screen_id]],
    [STRANGER, []],
  ] as const) {
    const { screens } = await own.screens.listScreens({ ...user, limit: 200 }, CALL);
    const byModel = screens.filter(({ model_id }) => model_id === MODEL);
    expect(byModel.map(({ screen_id }) => screen_id)).toEqual(listed);
  }
  await own.untilFollowed(followed, ALICE, '2024-06-28');
  expect(await own.get(mine, ALICE)).toMatchObject({ members: undefined, failure: undefined });
  expect(own.market.followed.flat()).not.toContain(mine.screen_id);
});
