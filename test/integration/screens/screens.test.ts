import { expect, test } from 'vitest';
import { ALICE, BOB, STRANGER, testScreens } from '#support/services/test-screens.ts';

const own = testScreens({
  '2024-06-27': { BBCA: 90, TLKM: 120 },
  '2024-06-28': { BBCA: 110, TLKM: 80 },
});
const CALL = { requestId: 'req_test' };
const UNKNOWN = { code: 'screen_not_found' };

test('a screen keeps its rules in both forms, whichever of them was sent', async () => {
  const where = { field: 'close', above: 100 };
  for (const rules of ['close > 100', { where }]) {
    const screen = await own.create(ALICE, rules);
    expect(screen).toMatchObject({
      screen_id: expect.stringMatching(/^scr_[0-9a-f]{24}$/) as string,
      version: 1,
      end_user: 'alice',
      rules: { where },
      rules_text: 'close > 100',
      universe: undefined,
    });
    expect(await own.get(screen, ALICE)).toMatchObject({ rules: { where }, rules_text: 'close > 100' });
  }
});

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
  const content = { name: 'x', rules: 'close > 1', universe: undefined, shared: false };
  const ofBob = { screen_id, ...BOB };
  const refusal = { ...UNKNOWN, message: 'Only the owner of a shared screen can change it.' };
  await expect(own.screens.replaceScreen({ ...ofBob, ...content }, CALL)).rejects.toMatchObject(refusal);
  await expect(own.screens.deleteScreen(ofBob, CALL)).rejects.toMatchObject(refusal);
  await expect(own.get(screen, STRANGER)).rejects.toMatchObject(UNKNOWN);

  await own.screens.replaceScreen({ screen_id, ...ALICE, ...content }, CALL);
  await expect(own.get(screen, BOB)).rejects.toMatchObject(UNKNOWN);
});

test('replacing a screen makes the next version, and every earlier version stays readable', async () => {
  const screen = await own.create(ALICE, 'close > 100');
  const { screen_id } = screen;
  const content = { name: 'cheap', rules: 'close < 100', universe: undefined, shared: false };
  const { screen: second } = await own.screens.replaceScreen({ screen_id, ...ALICE, ...content }, CALL);
  expect(second).toMatchObject({ version: 2, name: 'cheap', rules_text: 'close < 100' });
  expect(await own.run(screen, ALICE)).toEqual(['TLKM']);
  expect(await own.get(screen, ALICE, 1)).toMatchObject({ version: 1, rules_text: 'close > 100' });
  expect(await own.get(screen, ALICE, 2)).toMatchObject({ version: 2, rules_text: 'close < 100' });
  await expect(own.get(screen, ALICE, 3)).rejects.toMatchObject(UNKNOWN);
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

test('rules that are not saved are run like those of a screen, as of any day', async () => {
  const request = { ...ALICE, universe: undefined, columns: [] };
  const { result } = await own.screens.previewScreen({ ...request, rules: 'close > 100' }, CALL);
  expect(result).toMatchObject({ as_of: '2024-06-28', matched: 1, rows: [{ ticker: 'BBCA' }] });
  const screen = await own.create(ALICE, 'close > 100');
  expect(await own.run(screen, ALICE, '2024-06-27')).toEqual(['TLKM']);
  await expect(own.screens.previewScreen({ ...request, rules: 'close >' }, CALL)).rejects.toMatchObject({
    code: 'invalid_request',
  });
});

test('a stock of a screen is explained, and an unknown one is not found', async () => {
  const { screen_id } = await own.create(ALICE, 'close > 100');
  const request = { screen_id, ...ALICE };
  const explained = await own.screens.explainScreen({ ...request, ticker: 'tlkm' }, CALL);
  expect(explained).toMatchObject({
    screen_id,
    version: 1,
    explanation: { ticker: 'TLKM', is_member: false },
  });
  await expect(own.screens.explainScreen({ ...request, ticker: 'ZZZZ' }, CALL)).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('while market-data is unavailable, runs fail in time with data_unavailable, and screens can still be saved', async () => {
  const screen = await own.create(ALICE, 'close > 100');
  try {
    for (const how of ['fails', 'hangs'] as const) {
      own.market.away = how;
      await expect(own.run(screen, ALICE)).rejects.toMatchObject({ code: 'data_unavailable' });
      await own.create(ALICE, 'close > 200');
    }
  } finally {
    own.market.away = undefined;
  }
});
