import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Kysely } from 'kysely';
import type { Rules } from '#fields/rules/rules.ts';
import type { FollowedResult, FollowScreensRequest } from '#proto/saring/market_data/v1/fields.ts';
import { EventTold } from '#proto/saring/events/v1/told.ts';
import { BudgetNotices } from '#services/screens/evaluation/budget-notices.ts';
import { Following } from '#services/screens/following/following.ts';
import { triedAgainAt } from '#services/screens/following/set-aside.ts';
import type { Caller } from '#services/screens/store/owned-rows.ts';
import { PlaceStore, type Move } from '#services/screens/store/place-store.ts';
import { migrations } from '#services/screens/store/migrations/index.ts';
import { ScreenStore } from '#services/screens/store/screen-store.ts';
import type { ScreensTables } from '#services/screens/store/tables.ts';
import { WatchlistStore } from '#services/screens/store/watchlist-store.ts';
import { Universes } from '#services/screens/saved/universe.ts';
import { randomId } from '#foundation/ids.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { Outbox } from '#platform/postgres/outbox.ts';
import { openPostgres } from '#platform/postgres/open-postgres.ts';
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
  [places, screens] = [new PlaceStore(database, new Outbox({ database, log })), new ScreenStore(database)];
});
afterAll(() => database?.destroy());

async function newScreen(owner: Caller = ALICE): Promise<string> {
  const screen_id = randomId('scr');
  const content = { name: 'x', shared: false, rules: RULES, model_id: null, params: null, universe: null };
  await screens.insert({ screen_id, ...owner, ...content, created_at: NOW }, UNLIMITED);
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
    is_set_aside: false,
    retry_at: null,
    ...change,
  };
}

/** Follows one market by a clock that the test sets. Until the daily result has come, no stock passes. */
class FollowedMarket {
  /** Of a market of its own, whose turn no other test has taken later. */
  served = { ...SERVED, market: randomId('scr') };
  now = NOW;
  tickers: string[] = [];
  isAwaited = false;
  evaluations = 0;
  readonly #following = new Following({
    store: places,
    universes: new Universes(new WatchlistStore(database)),
    fields: { followScreens: (request: FollowScreensRequest) => this.#follow(request) } as never,
    newest: { known: this.served },
    clock: () => this.now,
    log: createLogger('test', 'silent'),
    stopping: new AbortController().signal,
  });

  async #follow({ screens: asked }: FollowScreensRequest) {
    const results = asked.map(({ id, previous_tickers, waits_for_results }): FollowedResult => {
      const awaits_results = this.isAwaited || undefined;
      const none = { id, tickers: [], entered: [], left: [], awaits_results };
      if (awaits_results && waits_for_results) return none;
      this.evaluations++;
      const tickers = awaits_results ? [] : this.tickers;
      const changed = (some: string[], others: string[]) =>
        some.filter((one) => !others.includes(one)).map((ticker) => ({ ticker, decided_by: [] }));
      return {
        ...none,
        tickers,
        entered: changed(tickers, previous_tickers),
        left: changed(previous_tickers, tickers),
      };
    });
    return { as_of: this.served.day, results, dataset_version: this.served.version };
  }

  /** A round of the followers this much later. */
  async roundAfter(seconds: number): Promise<void> {
    this.now = new Date(this.now.getTime() + 1_000 * seconds);
    await this.#following.round();
  }

  publish(day: string, tickers: string[]): void {
    Object.assign(this.served, { day, version: `real-${day.replaceAll('-', '')}-1` });
    this.tickers = tickers;
  }
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

test('a turn that a copy took by a clock two hours ahead is taken over at once, one by a clock a little ahead is not', async () => {
  const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
  const take = (holder: string, at: number) =>
    places.takeTurn('ahead', holder, { now: later(at), until: later(at + 15) });
  expect([await take('a', 7_200), await take('b', 0)]).toEqual([true, true]);
  expect([await take('b', 10), await take('a', 0)]).toEqual([true, false]);
});

test('a screen that waits for a daily result is due again at its time, or with another version at once', async () => {
  const screen_id = await newScreen();
  const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
  const next = { ...SERVED, day: '2024-07-03', version: 'real-20240703-1' };
  const isDue = async (served: typeof SERVED, now: Date) =>
    (await places.due(served, now, 1_000)).find((due) => due.screen_id === screen_id);
  await places.move([moveOf(screen_id)], SERVED, NOW);
  expect(await isDue(SERVED, at(1))).toBeUndefined();
  await places.wait([screen_id], next, { now: NOW, retryAt: at(5) });
  expect([await isDue(next, at(4)), await isDue(SERVED, at(60))]).toEqual([undefined, undefined]);
  expect((await isDue(next, at(5)))?.place).toMatchObject({ dataset_version: SERVED.version, awaited_version: next.version }); // prettier-ignore
  expect(await isDue({ ...next, version: 'real-20240703-2' }, at(1))).toBeDefined();
  await places.wait([screen_id], next, { now: at(5), retryAt: at(10) });
  const waited = (await isDue(next, at(10)))!.place!;
  expect(new Date(waited.awaited_since!)).toEqual(NOW);

  // It goes on without the result, and asks again for it.
  const without = moveOf(screen_id, { as_of: next.day, revision: 2, retry_at: at(70) });
  expect(await places.move([without], next, at(10))).toEqual([screen_id]);
  expect(await isDue(next, at(69))).toBeUndefined();
  expect(new Date((await isDue(next, at(70)))!.place!.awaited_since!)).toEqual(NOW);
  await places.move([moveOf(screen_id, { as_of: next.day, revision: 3 })], next, at(70));
  expect(await isDue(next, at(9_999))).toBeUndefined();
});

test('a screen is set aside from the first failure of its version until a result, and tried again after as long', async () => {
  const screen_id = await newScreen();
  const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
  const attempt = async (seconds: number, revision: number, is_set_aside = true) => {
    const failure = is_set_aside ? 'It takes too long.' : null;
    const { place, version } = await dueAt(at(seconds));
    const retry_at = is_set_aside ? triedAgainAt({ version, place }, at(seconds)) : null;
    await places.move(
      [moveOf(screen_id, { revision, is_set_aside, failure, retry_at })],
      SERVED,
      at(seconds),
    );
    return retry_at;
  };
  const dueAt = async (now: Date) =>
    (await places.due(SERVED, now, 1_000)).find((due) => due.screen_id === screen_id)!;
  const before = await places.setAside(at(0));
  const retries = [await attempt(0, 1), await attempt(5, 2), await attempt(10, 3), await attempt(20, 4)];
  expect(retries).toEqual([5, 10, 20, 40].map(at));
  expect(await dueAt(at(39))).toBeUndefined();
  expect(await places.setAside(at(0))).toBe(before + 1);
  await attempt(90_000, 5);
  expect((await dueAt(at(90_000 + 6 * 3_600)))?.place).toMatchObject({ failure: 'It takes too long.' });
  await attempt(200_000, 6, false);
  expect(await places.setAside(at(999_999))).toBe(before);
});

describe('a screen that reads a daily result of a model', () => {
  const told = async (screen_id: string) =>
    (await changesOf(screen_id)).map(({ as_of, entered, left }) => {
      const tickers = (changes: { ticker: string }[]) => changes.map(({ ticker }) => ticker);
      return [as_of, tickers(entered), tickers(left)];
    });
  let market: FollowedMarket;
  let screen_id: string;
  beforeEach(async () => {
    await database.deleteFrom('screen').execute();
    market = new FollowedMarket();
    screen_id = await newScreen();
    market.tickers = ['BBCA'];
    await market.roundAfter(0);
    market.isAwaited = true;
    market.evaluations = 0;
    market.publish('2024-07-03', ['BBRI']);
  });

  test('stays on the day before until the result comes, and tells nothing that it takes back', async () => {
    for (let i = 0; i < 20; i++) await market.roundAfter(5);
    expect([market.evaluations, await told(screen_id)]).toEqual([0, []]);
    market.isAwaited = false;
    await market.roundAfter(10);
    expect([market.evaluations, await told(screen_id)]).toEqual([1, [['2024-07-03', ['BBRI'], ['BBCA']]]]);
    await market.roundAfter(3_600);
    expect(market.evaluations).toBe(1);
  });

  test('goes on without it after a quarter of an hour, and is evaluated once more when it comes', async () => {
    for (let i = 0; i < 16; i++) await market.roundAfter(60);
    expect([market.evaluations, await told(screen_id)]).toEqual([1, [['2024-07-03', [], ['BBCA']]]]);
    for (let i = 0; i < 10; i++) await market.roundAfter(600);
    expect(market.evaluations).toBe(1);
    market.isAwaited = false;
    await market.roundAfter(600);
    expect([market.evaluations, await told(screen_id)]).toEqual([2, [['2024-07-03', ['BBRI'], ['BBCA']]]]);
  });

  test('is evaluated at once where it is new, and again when the result comes', async () => {
    const fresh = await newScreen();
    await market.roundAfter(0);
    expect(market.evaluations).toBe(1);
    market.isAwaited = false;
    await market.roundAfter(5);
    const place = await database.selectFrom('screen_place').selectAll().where('screen_id', '=', fresh).executeTakeFirstOrThrow(); // prettier-ignore
    expect(place).toMatchObject({ as_of: '2024-07-03', tickers: ['BBRI'] });
    expect(await told(fresh)).toEqual([]);
  });

  test('does not wait for the result of a day that the next day has overtaken', async () => {
    await market.roundAfter(0);
    market.publish('2024-07-04', ['BBRI']);
    market.isAwaited = false;
    await market.roundAfter(1);
    expect(await told(screen_id)).toEqual([['2024-07-04', ['BBRI'], ['BBCA']]]);
  });
});

describe('what the key of a screen is told', () => {
  const told = async (screen_id: string) => {
    const rows = await database.selectFrom('outbox').select('message').orderBy('seq').execute();
    return rows
      .map(({ message }) => EventTold.decode(message))
      .filter(({ data }) => data!['screen_id'] === screen_id)
      .map(({ api_key_id, type, data }) => {
        expect([api_key_id, type]).toEqual([ALICE.api_key_id, 'screen.changed']);
        return `${String(data!['as_of'])} +${String(data!['entered'])} -${String(data!['left'])}`;
      });
  };

  test('rounds that rest on the same place tell once, and one without changes tells nothing', async () => {
    const screen_id = await newScreen();
    await Promise.all(Array.from({ length: 4 }, () => places.move([moveOf(screen_id)], SERVED, NOW)));
    expect(await told(screen_id)).toEqual(['2024-07-02 +1 -0']);
    const next = { as_of: '2024-07-03', revision: 2, entered: [] };
    await places.move([moveOf(screen_id, next)], { ...SERVED, day: '2024-07-03' }, NOW);
    expect(await told(screen_id)).toHaveLength(1);
  });

  test('a corrected day is told again if other stocks enter, also if none do any more', async () => {
    const screen_id = await newScreen();
    await places.move([moveOf(screen_id)], SERVED, NOW);
    await places.move([moveOf(screen_id, { revision: 2 })], SERVED, NOW);
    expect(await told(screen_id)).toEqual(['2024-07-02 +1 -0']);
    const other = [{ ticker: 'TLKM', decided_by: [] }];
    await places.move([moveOf(screen_id, { revision: 3, entered: other, left: other })], SERVED, NOW);
    await places.move([moveOf(screen_id, { revision: 4, entered: [] })], SERVED, NOW);
    expect(await told(screen_id)).toEqual(['2024-07-02 +1 -0', '2024-07-02 +1 -1', '2024-07-02 +0 -0']);
  });

  test('the first result of a screen, and a failure, are no news', async () => {
    const screen_id = await newScreen();
    const first = { previous_as_of: null, entered: [] };
    await places.move([moveOf(screen_id, first)], SERVED, NOW);
    const failed = { revision: 2, entered: [], failure: 'There is no field x.' };
    await places.move([moveOf(screen_id, failed)], SERVED, NOW);
    expect(await told(screen_id)).toEqual([]);
  });
});

test('a key is told once an hour that its budget is used up, however often and by whichever copy', async () => {
  const clock = { now: new Date('2024-07-02T10:20:00Z') };
  const log = createLogger('test', 'silent');
  const copies = [1, 2].map(
    () =>
      new BudgetNotices({
        outbox: new Outbox({ database, log }),
        clock: () => clock.now,
        log,
      }),
  );
  const windows = async () => {
    for (let i = 0; i < 5; i++) for (const copy of copies) copy.tell('key_spent', 60_000);
    const rows = await database.selectFrom('outbox').select('message').orderBy('seq').execute();
    return rows
      .map(({ message }) => EventTold.decode(message))
      .filter(({ type }) => type === 'budget.spent')
      .map(({ data }) => data!['window_began_at'] as string);
  };
  const [first, second] = ['2024-07-02T17:00:00.000+07:00', '2024-07-02T18:00:00.000+07:00'];
  await expect.poll(windows).toEqual([first]);
  clock.now = new Date('2024-07-02T11:00:00Z');
  await expect.poll(windows).toEqual([first, second]);
});

test('screens of keys are followed in turn: the only one of a key before the second of another', async () => {
  for (let i = 0; i < 20; i++) await newScreen();
  const api_key_id = randomId('key');
  const only = await newScreen({ ...ALICE, api_key_id });
  const due = await places.due(SERVED, NOW, 1_000);
  const keys = new Set(due.map((screen) => screen.api_key_id)).size;
  const first = due.slice(0, keys).map(({ screen_id }) => screen_id);
  expect(first).toContain(only);
});
