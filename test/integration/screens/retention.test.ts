import { expect, test } from 'vitest';
import { ALICE, testScreens } from '#support/services/test-screens.ts';

const own = testScreens(
  { '2024-07-01': { BBCA: 110 } },
  { settings: { SCREEN_CHANGES_RETENTION_DAYS: '30' } },
);

test('changes are removed once they have been kept for the stated time, and the screen stays', async () => {
  const screen = await own.create(ALICE, 'close > 100');
  await own.untilFollowed(screen, ALICE, '2024-07-01');
  for (const [day, close] of [
    ['2024-07-02', 90],
    ['2024-07-03', 110],
  ] as const) {
    own.market.days = { ...own.market.days, [day]: { BBCA: close } };
    await own.untilFollowed(screen, ALICE, day);
  }
  expect(await own.told(screen, ALICE)).toEqual(['2024-07-03: +BBCA', '2024-07-02: -BBCA']);
  const age = `update screens.screen_change set recorded_at = recorded_at - interval '31 days' where as_of = $1`;
  await own.database.query(age, ['2024-07-02']);
  // A process removes old changes when it starts, and then every ten minutes.
  await own.stop();
  await own.start(1);
  await expect.poll(() => own.told(screen, ALICE), { timeout: 20_000 }).toEqual(['2024-07-03: +BBCA']);
  expect(await own.get(screen, ALICE)).toMatchObject({ members: 1, members_as_of: '2024-07-03' });
});
