import { expect, test } from 'vitest';
import { testScreens, type User } from '#support/services/test-screens.ts';

const SCREENS = 200;
const KEYS = 50;

const own = testScreens(
  { '2024-07-01': { BBCA: 110, BBRI: 90, TLKM: 80 } },
  { copies: 2, settings: { SCREEN_CHANGES_RETENTION_DAYS: '0' } },
);
const userOf = (i: number): User => ({ api_key_id: `key_${i % KEYS}`, end_user: 'alice' });

/** How many screens have come to a day. */
async function followedTo(day: string): Promise<number> {
  const query = 'select from screens.screen_place where as_of = $1';
  return (await own.database.query(query, [day])).rowCount!;
}

/** How many changes each of the days has, and how many screens have them. */
async function recorded(): Promise<object[]> {
  const query = `select as_of, count(*)::int as changes, count(distinct screen_id)::int as screens,
      bool_and(entered::text like '%BBRI%' or "left"::text like '%BBRI%') as whole
    from screens.screen_change group by as_of order by as_of`;
  return (await own.database.query<object>(query)).rows;
}

test('each day of each screen is recorded once and whole, however often the process that follows them is killed', async () => {
  for (let i = 0; i < SCREENS; i++) await own.create(userOf(i), 'close > 100');
  await expect.poll(() => followedTo('2024-07-01')).toBe(SCREENS);

  const days = ['2024-07-02', '2024-07-03', '2024-07-04'];
  for (const [i, day] of days.entries()) {
    const begun = own.market.followed.length;
    own.market.days = { ...own.market.days, [day]: { BBCA: 110, BBRI: i % 2 === 0 ? 105 : 90, TLKM: 80 } };
    await expect.poll(() => own.market.followed.length, { interval: 1 }).toBeGreaterThan(begun);
    await Promise.all(own.processes.splice(0).map((process) => process.kill('SIGKILL')));
    own.processes = await Promise.all([own.startProcess(), own.startProcess()]);
    await expect.poll(() => followedTo(day)).toBe(SCREENS);
  }
  expect(await recorded()).toEqual(
    days.map((as_of) => ({ as_of, changes: SCREENS, screens: SCREENS, whole: true })),
  );
});
