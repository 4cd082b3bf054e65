import { afterEach, beforeEach, expect, test } from 'vitest';
import { screens as screensCheck } from '#cli/doctor/data-checks.ts';
import type { ExaminedFleet } from '#cli/fleet/examine.ts';
import { freePort } from '#local/state/ports.ts';
import type { FollowedResult } from '#proto/saring/market_data/v1/fields.ts';
import type { Screen } from '#proto/saring/screens/v1/screens.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { ALICE, testScreens, type User } from '#support/services/test-screens.ts';

const DAYS = { '2024-07-01': { BBCA: 90 } };
const NEXT = '2024-07-02';
/** Screens of one batch. */
const SCREENS = 50;
const NUL = String.fromCodePoint(0);

const opsPort = await freePort();
const own = testScreens(DAYS, { settings: { OPS_PORT: String(opsPort) } });
const { market } = own;
const userOf = (i: number): User => ({ api_key_id: `key_${i % 5}`, end_user: 'alice' });

type Followed = Pick<Screen, 'screen_id'> & { user: User };

/** In the order in which they are followed. */
let screens: Followed[] = [];
beforeEach(async () => {
  market.days = DAYS;
  const made: Followed[] = [];
  for (let i = 0; i < SCREENS; i++) {
    const user = userOf(i);
    made.push({ ...(await own.create(user, 'close > 100')), user });
  }
  screens = made.toSorted((a, b) => (a.screen_id < b.screen_id ? -1 : 1));
  await expect.poll(() => countTo('2024-07-01')).toBe(SCREENS);
});
afterEach(async () => {
  market.evaluated = (_, result) => result;
  await own.database.query('delete from screens.screen');
});

/** How many screens have come to a day without a failure. */
async function countTo(day: string): Promise<number> {
  const query = 'select from screens.screen_place where as_of = $1 and failure is null';
  return (await own.database.query(query, [day])).rowCount!;
}

/** A day on which BBCA enters every screen. */
function publishNext(): void {
  market.days = { ...DAYS, [NEXT]: { BBCA: 110 } };
}

const failureOf = async (one: Followed) => (await own.get(one, one.user)).failure;
const toldOf = (one: Followed) => own.told(one, one.user);

/** What the doctor finds. */
async function findings(): Promise<string[]> {
  const postgres = async (query: string) => (await own.database.query(query)).rows as object[];
  const found = await screensCheck.find({ stores: { postgres }, services: {} } as unknown as ExaminedFleet);
  return found.map(({ what }) => what);
}

/** What the metric says. */
async function measured(): Promise<string | undefined> {
  const text = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
  return /^saring_screens_set_aside (\d+)$/m.exec(text)?.[1];
}

/** What the rules said of BBCA, with a text that PostgreSQL does not read. */
function unrecordable(result: FollowedResult): FollowedResult {
  const rule = { rule: `a${NUL}b`, passed: true, value: 110, threshold: 100, margin: undefined, depth: 0 };
  return { ...result, entered: result.entered.map((change) => ({ ...change, decided_by: [rule] })) };
}

test('one screen whose change cannot be recorded leaves the others of its batch theirs, and comes back once it can', async () => {
  const [bad] = screens.splice(20, 1) as [Followed];
  market.evaluated = ({ id }, result) => (id === bad.screen_id ? unrecordable(result) : result);
  publishNext();
  await expect.poll(() => countTo(NEXT)).toBe(SCREENS - 1);
  for (const one of screens) expect(await toldOf(one)).toEqual([`${NEXT}: +BBCA`]);
  await expect.poll(() => failureOf(bad)).toMatch(/could not be recorded/);
  expect(await own.get(bad, bad.user)).toMatchObject({ members_as_of: '2024-07-01', members: 0 });
  expect(await findings()).toEqual([]);
  await own.database.query(`update screens.screen_place set set_aside_since = now() - interval '2 minutes'
    where set_aside_since is not null`);
  expect(await findings()).toEqual([
    `Screens that are not followed: ${bad.screen_id} of ${bad.user.api_key_id}. What changed in it could not be recorded. It is tried again.`,
  ]);
  await expect.poll(measured).toBe('1');
  market.evaluated = (_, result) => result;
  // Again and again, because an attempt that was under way fails still, and puts the next one off.
  const hurry = () =>
    own.database.query('update screens.screen_place set retry_at = now() where retry_at is not null');
  await expect.poll(() => hurry().then(() => toldOf(bad))).toEqual([`${NEXT}: +BBCA`]);
  expect(await failureOf(bad)).toBeUndefined();
});

test('one screen for which market-data refuses the call, or breaks, is found among the others', async () => {
  const [refused, breaking] = screens.splice(30, 2) as [Followed, Followed];
  market.evaluated = ({ id }, result) => {
    if (id === refused.screen_id) throw new ServiceError('invalid_request', 'screens: must be others');
    if (id === breaking.screen_id) throw new Error('a bug');
    return result;
  };
  publishNext();
  await expect.poll(() => countTo(NEXT)).toBe(SCREENS - 2);
  for (const one of [refused, breaking])
    await expect.poll(() => failureOf(one)).toMatch(/cannot be evaluated/);
});

test('texts that were stored before they were refused stop nobody after an upgrade, and new rules are followed at once', async () => {
  const [withNul, withHalf, withTicker] = screens.splice(0, 3) as [Followed, Followed, Followed];
  const store = (one: Followed, column: string, json: string) =>
    own.database.query(`update screens.screen_version set ${column} = $2 where screen_id = $1`, [
      one.screen_id,
      json,
    ]);
  // The type json keeps a text as it came, and fails when it is read.
  await store(withNul, 'rules', String.raw`{"where":{"field":"top_buyer","in":["AK","\u0000"]}}`);
  await store(withHalf, 'rules', String.raw`{"where":{"field":"top_buyer","in":["AK","\ud83d"]}}`);
  await store(withTicker, 'universe', String.raw`{"tickers":["BBCA","\u0007"]}`);
  publishNext();
  await expect.poll(() => countTo(NEXT)).toBe(SCREENS - 3);
  for (const one of [withNul, withHalf, withTicker])
    await expect.poll(() => failureOf(one)).toMatch(/contain control characters/);
  const { user, screen_id } = withNul;
  const request = {
    screen_id,
    ...user,
    name: 'mine',
    rules: 'close > 100',
    universe: undefined,
    shared: false,
  };
  await own.screens.replaceScreen(request, { requestId: 'req_test' });
  await expect.poll(() => countTo(NEXT)).toBe(SCREENS - 2);
  expect(await failureOf(withNul)).toBeUndefined();
});

test('forty screens of one end user that take too long delay the others, and do not stop them', async () => {
  const slow = new Map(screens.splice(0, 40).map(({ screen_id }) => [screen_id, 0]));
  const calls = new Map<number, number>();
  market.evaluated = ({ id }, result) => {
    // There is time for two in a call.
    const call = market.followed.length;
    calls.set(call, (calls.get(call) ?? 0) + 1);
    if (calls.get(call)! > 2) return undefined;
    const evaluations = slow.get(id);
    if (evaluations === undefined) return result;
    slow.set(id, evaluations + 1);
    return { ...result, tickers: [], entered: [], failure: 'It takes too long.', may_pass: true };
  };
  publishNext();
  await expect.poll(() => countTo(NEXT)).toBe(SCREENS - 40);
  for (const one of screens) expect(await toldOf(one)).toEqual([`${NEXT}: +BBCA`]);
  // Each was evaluated, and what was done was not begun again in each call.
  const evaluations = [...slow.values()];
  expect(Math.min(...evaluations)).toBeGreaterThan(0);
  expect(evaluations.reduce((sum, count) => sum + count, 0)).toBeLessThan(40 * 10);
  const query = 'select count(*)::int as n from screens.screen_place where set_aside_since is not null';
  expect((await own.database.query<{ n: number }>(query)).rows).toEqual([{ n: 40 }]);
});

test('no text that PostgreSQL does not read comes in over gRPC', async () => {
  await expect(own.create(ALICE, `top_buyer in ('AK','${NUL}')`)).rejects.toMatchObject({
    code: 'invalid_request',
    detail: [{ loc: ['rules'] }],
  });
  await expect(own.watch(ALICE, ['BBCA', `B${NUL}`])).rejects.toMatchObject({
    detail: [{ loc: ['tickers', 1] }],
  });
});
