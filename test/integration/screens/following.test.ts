import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Kysely } from 'kysely';
import type { Rules } from '#fields/rules/rules.ts';
import { PlaceStore, type Move } from '#services/screens/store/place-store.ts';
import { migrations } from '#services/screens/store/migrations/index.ts';
import { ScreenStore } from '#services/screens/store/screen-store.ts';
import type { ScreensTables } from '#services/screens/store/tables.ts';
import { randomId } from '#shared/ids.ts';
import { createLogger } from '#shared/logger.ts';
import { openPostgres } from '#shared/postgres/open-postgres.ts';
import { ALICE } from '#support/services/test-screens.ts';
import { ownServers } from '#support/servers/servers.ts';

const servers = ownServers();
const NOW = new Date('2024-07-02T10:00:00Z');
const SERVED = { market: 'real', day: '2024-07-02', version: 'real-20240702-1' };
const UNLIMITED = { perEndUser: 1_000, perKey: 1_000 };
const RULES: Rules = { where: { field: 'close', above: 100 } };

let database: Kysely<ScreensTables>;
let places: PlaceStore;
let screens: ScreenStore;
beforeAll(async () => {
  const log = createLogger('test', 'silent');
  database = await openPostgres({ url: servers.databaseUrl, schema: 'screens', migrations, log });
  [places, screens] = [new PlaceStore(database), new ScreenStore(database)];
});
afterAll(() => database?.destroy());

async function newScreen(): Promise<string> {
  const screen_id = randomId('scr');
  const content = { name: 'x', shared: false, rules: RULES, model_id: null, params: null, universe: null };
  await screens.insert({ screen_id, ...ALICE, ...content, created_at: NOW }, UNLIMITED);
  return screen_id;
}

function moveOf(screen_id: string, change: Partial<Move> = {}): Move {
  return {
    screen_id,
    version: 1,
    as_of: SERVED.day,
    tickers: ['BBCA'],
    previous_as_of: '2024-07-01',
    previous_tickers: [],
    failure: null,
    entered: [{ ticker: 'BBCA', decided_by: [] }],
    left: [],
    revision: 1,
    ...change,
  };
}

const changesOf = (screen_id: string) =>
  database.selectFrom('screen_change').selectAll().where('screen_id', '=', screen_id).execute();

test('of rounds that rest on the same place one moves a screen, and its change is recorded once', async () => {
  const screen_id = await newScreen();
  const rounds = await Promise.all(
    Array.from({ length: 6 }, () => places.move([moveOf(screen_id)], SERVED, NOW)),
  );
  expect(rounds.flat()).toEqual([screen_id]);
  expect(await changesOf(screen_id)).toMatchObject([{ as_of: SERVED.day, entered: [{ ticker: 'BBCA' }] }]);
});

test('a round that rests on an older place changes nothing', async () => {
  const screen_id = await newScreen();
  await places.move([moveOf(screen_id)], SERVED, NOW);
  await places.move([moveOf(screen_id, { revision: 2, tickers: ['TLKM'], entered: [] })], SERVED, NOW);
  expect(await places.move([moveOf(screen_id, { revision: 2 })], SERVED, NOW)).toEqual([]);
  expect(await changesOf(screen_id)).toEqual([]);
});

test('a screen that was replaced or deleted since it was evaluated is left alone, and the others of its batch move', async () => {
  const [replaced, deleted, sound] = await Promise.all([newScreen(), newScreen(), newScreen()]);
  const content = { name: 'x', shared: false, rules: RULES, model_id: null, params: null, universe: null };
  await screens.replace(replaced, content, undefined, { caller: ALICE, now: NOW });
  await screens.delete(deleted, ALICE);
  const batch = [replaced, deleted, sound].map((id) => moveOf(id));
  expect(await places.move(batch, SERVED, NOW)).toEqual([sound]);
  for (const id of [replaced, deleted]) expect(await changesOf(id)).toEqual([]);
});

test('one copy has the turn until it ends it or its lease expires', async () => {
  const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
  const take = (holder: string, at: number) =>
    places.takeTurn('real', holder, { now: later(at), until: later(at + 15) });
  expect([await take('a', 0), await take('b', 1), await take('a', 10)]).toEqual([true, false, true]);
  expect([await take('b', 20), await take('b', 25), await take('a', 26)]).toEqual([false, true, false]);
  await places.endTurn('real', 'a', later(27));
  expect(await take('a', 28)).toBe(false);
  await places.endTurn('real', 'b', later(29));
  expect(await take('a', 30)).toBe(true);
});
