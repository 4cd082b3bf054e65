import { expect, test } from 'vitest';
import { ALICE, BOB, STRANGER, testScreens, type User } from '#support/services/test-screens.ts';

/** Every test goes on from the day that the one before left. */
const own = testScreens(
  { '2024-07-01': { BBCA: 110, BBRI: 90, TLKM: 80 } },
  { copies: 2, settings: { SCREEN_CHANGES_RETENTION_DAYS: '30' } },
);
const { market } = own;
const CALL = { requestId: 'req_test' };

/** Publishes a day and waits until a screen has been followed to it. */
async function publish(
  day: string,
  closes: Record<string, number>,
  screen: { screen_id: string },
  user: User = ALICE,
): Promise<void> {
  market.days = { ...market.days, [day]: closes };
  await own.untilFollowed(screen, user, day);
}

test('a new day tells who entered and who left, with the conditions that decided', async () => {
  const screen = await own.create(ALICE, 'close > 100');
  await own.untilFollowed(screen, ALICE, '2024-07-01');
  expect(await own.get(screen, ALICE)).toMatchObject({ members: 1, failure: undefined });
  expect(await own.changes(screen, ALICE)).toEqual([]);
  await publish('2024-07-02', { BBCA: 95, BBRI: 105, TLKM: 80 }, screen);
  expect(await own.changes(screen, ALICE)).toMatchObject([
    {
      as_of: '2024-07-02',
      previous_as_of: '2024-07-01',
      version: 1,
      dataset_version: 'real-20240702-1',
      entered: [
        { ticker: 'BBRI', decided_by: [{ rule: 'close passes', passed: true, value: 105, threshold: 100 }] },
      ],
      left: [{ ticker: 'BBCA', decided_by: [{ passed: false, value: 95 }] }],
    },
  ]);
  await publish('2024-07-03', { BBCA: 95, BBRI: 106, TLKM: 80 }, screen);
  await publish('2024-07-04', { BBCA: 105, BBRI: 106, TLKM: 80 }, screen);
  expect(await own.told(screen, ALICE)).toEqual(['2024-07-04: +BBCA', '2024-07-02: +BBRI -BBCA']);
});

test('changes can be read from a day on, by page, and cursors are of no use for another screen', async () => {
  const screens = [await own.create(ALICE, 'close > 100'), await own.create(ALICE, 'close < 100')];
  for (const screen of screens) await own.untilFollowed(screen, ALICE, '2024-07-04');
  const [screen, other] = screens as [(typeof screens)[0], (typeof screens)[0]];
  await publish('2024-07-05', { BBCA: 95, BBRI: 95, TLKM: 80 }, screen);
  await publish('2024-07-08', { BBCA: 105, BBRI: 105, TLKM: 80 }, screen);
  await publish('2024-07-09', { BBCA: 95, BBRI: 95, TLKM: 80 }, screen);
  await own.untilFollowed(other, ALICE, '2024-07-09');
  const since = new Date('2024-07-08T20:00:00+07:00');
  expect((await own.changes(screen, ALICE, since)).map(({ as_of }) => as_of)).toEqual([
    '2024-07-09',
    '2024-07-08',
  ]);
  const days: string[] = [];
  let cursor: string | undefined;
  do {
    const request = { screen_id: screen.screen_id, ...ALICE, limit: 1, cursor };
    const page = await own.screens.listScreenChanges(request, CALL);
    days.push(...page.changes.map(({ as_of }) => as_of));
    cursor = page.next_cursor;
    if (cursor !== undefined)
      await expect(
        own.screens.listScreenChanges({ ...request, cursor, screen_id: other.screen_id }, CALL),
      ).rejects.toMatchObject({ code: 'invalid_cursor' });
  } while (cursor !== undefined);
  expect(days).toEqual(['2024-07-09', '2024-07-08', '2024-07-05']);
});

test('a corrected day has the changes of its last version alone', async () => {
  const screen = await own.create(ALICE, 'close > 100');
  await own.untilFollowed(screen, ALICE, '2024-07-09');
  await publish('2024-07-10', { BBCA: 105, BBRI: 105, TLKM: 80 }, screen);
  expect(await own.told(screen, ALICE)).toEqual(['2024-07-10: +BBCA +BBRI']);
  market.days['2024-07-10'] = { BBCA: 105, BBRI: 95, TLKM: 80 };
  market.edition++;
  await expect.poll(() => own.told(screen, ALICE)).toEqual(['2024-07-10: +BBCA']);
  market.days['2024-07-10'] = { BBCA: 95, BBRI: 95, TLKM: 80 };
  market.edition++;
  await expect.poll(() => own.told(screen, ALICE)).toEqual([]);
});

test('a replaced screen begins anew: its first result is compared with nothing', async () => {
  const screen = await own.create(ALICE, 'close > 100');
  await own.untilFollowed(screen, ALICE, '2024-07-10');
  await publish('2024-07-11', { BBCA: 105, BBRI: 95, TLKM: 80 }, screen);
  const content = { name: 'x', rules: 'close < 100', universe: undefined, shared: false };
  await own.screens.replaceScreen({ screen_id: screen.screen_id, ...ALICE, ...content }, CALL);
  await own.untilFollowed(screen, ALICE, '2024-07-11');
  expect(await own.told(screen, ALICE)).toEqual(['2024-07-11: +BBCA']);
  await publish('2024-07-12', { BBCA: 105, BBRI: 105, TLKM: 80 }, screen);
  expect(await own.changes(screen, ALICE)).toMatchObject([
    { as_of: '2024-07-12', version: 2, entered: [], left: [{ ticker: 'BBRI' }] },
    { as_of: '2024-07-11', version: 1 },
  ]);
});

test('a market that ends earlier takes its later days back, and they come again with it', async () => {
  const screen = await own.create(ALICE, 'close > 100');
  await own.untilFollowed(screen, ALICE, '2024-07-12');
  await publish('2024-07-15', { BBCA: 95, BBRI: 95, TLKM: 80 }, screen);
  expect(await own.told(screen, ALICE)).toEqual(['2024-07-15: -BBCA -BBRI']);
  const { '2024-07-15': newest, ...older } = market.days;
  market.days = older;
  await own.untilFollowed(screen, ALICE, '2024-07-12');
  expect(await own.told(screen, ALICE)).toEqual([]);
  await publish('2024-07-15', newest!, screen);
  expect(await own.told(screen, ALICE)).toEqual(['2024-07-15: -BBCA -BBRI']);
});

test('a screen has its own place in each market', async () => {
  const screen = await own.create(ALICE, 'close > 100');
  await own.untilFollowed(screen, ALICE, '2024-07-15');
  await publish('2024-07-16', { BBCA: 105, BBRI: 95, TLKM: 80 }, screen);
  const real = market.days;
  [market.market, market.days] = ['synthetic', { '2024-07-17': { QAAA: 105, QBBB: 95 } }];
  await own.untilFollowed(screen, ALICE, '2024-07-17');
  const listed = () =>
    own.screens.listScreenChanges({ screen_id: screen.screen_id, ...ALICE, limit: 10 }, CALL);
  expect(await listed()).toMatchObject({ market: 'synthetic', changes: [] });
  [market.market, market.days] = ['real', real];
  await own.untilFollowed(screen, ALICE, '2024-07-16');
  expect(await listed()).toMatchObject({ market: 'real', changes: [{ as_of: '2024-07-16' }] });
});

test('rules that cannot be evaluated any more fail alone, and go on from where they were', async () => {
  const broken = await own.create(ALICE, 'close > 104');
  const sound = await own.create(ALICE, 'close > 103');
  for (const screen of [broken, sound]) await own.untilFollowed(screen, ALICE, '2024-07-16');
  market.unknownNumber = 104;
  await publish('2024-07-18', { BBCA: 95, BBRI: 95, TLKM: 80 }, sound);
  await expect
    .poll(() => own.get(broken, ALICE))
    .toMatchObject({ failure: 'no field `close`', members_as_of: '2024-07-16' });
  const holding = await own.screens.listScreensOfStock({ ...ALICE, ticker: 'BBCA' }, CALL);
  expect(holding.screens.map(({ screen_id }) => screen_id)).not.toContain(broken.screen_id);
  market.unknownNumber = undefined;
  await publish('2024-07-19', { BBCA: 95, BBRI: 105, TLKM: 80 }, broken);
  expect(await own.changes(broken, ALICE)).toMatchObject([
    {
      as_of: '2024-07-19',
      previous_as_of: '2024-07-16',
      entered: [{ ticker: 'BBRI' }],
      left: [{ ticker: 'BBCA' }],
    },
  ]);
  expect(await own.get(broken, ALICE)).toMatchObject({ failure: undefined });
});

test('a stock is found in the screens that a caller may read, by name, with its place', async () => {
  const user = { api_key_id: ALICE.api_key_id, end_user: 'dora' };
  const mine = await own.create(user, 'close > 100', { name: 'z-mine' });
  const ofBob = await own.create(BOB, 'close > 80', { name: 'a-shared', shared: true });
  const hidden = await own.create(BOB, 'close > 80');
  const elsewhere = await own.create(STRANGER, 'close > 80', { shared: true });
  for (const [screen, owner] of [
    [mine, user],
    [ofBob, BOB],
    [hidden, BOB],
    [elsewhere, STRANGER],
  ] as const)
    // prettier-ignore
    await own.untilFollowed(screen, owner, '2024-07-19');
  const holding = async (ticker: string) =>
    (await own.screens.listScreensOfStock({ ...user, ticker }, CALL)).screens;
  expect(await holding('bbri')).toMatchObject([
    { screen_id: ofBob.screen_id, name: 'a-shared', version: 1, place: 2, as_of: '2024-07-19' },
    { screen_id: mine.screen_id, name: 'z-mine', place: 1 },
  ]);
  expect(await holding('BBCA')).toMatchObject([{ screen_id: ofBob.screen_id, place: 1 }]);
  expect(await holding('ZZZZ')).toEqual([]);
});

test('changes are removed once they have been kept for the stated time, and the screen stays', async () => {
  const screen = await own.create(ALICE, 'close > 100');
  await own.untilFollowed(screen, ALICE, '2024-07-19');
  await publish('2024-07-22', { BBCA: 105, BBRI: 105, TLKM: 80 }, screen);
  await publish('2024-07-23', { BBCA: 95, BBRI: 105, TLKM: 80 }, screen);
  expect(await own.told(screen, ALICE)).toEqual(['2024-07-23: -BBCA', '2024-07-22: +BBCA']);
  const age = `update screens.screen_change set recorded_at = recorded_at - interval '31 days' where as_of = $1`;
  await own.database.query(age, ['2024-07-22']);
  // A process removes old changes when it starts, and then every ten minutes.
  await own.stop();
  await own.start(1);
  await expect.poll(() => own.told(screen, ALICE)).toEqual(['2024-07-23: -BBCA']);
  expect(await own.get(screen, ALICE)).toMatchObject({ members: 1, members_as_of: '2024-07-23' });
});
