import { expect, test } from 'vitest';
import { testScheduler } from '#support/services/test-scheduler.ts';

const own = testScheduler('2024-07-01', { HELD_UP_MINUTES: '0' });
const { others } = own;

test('a schedule fires on new days of an older market that replaced its own, and later on those of the newer one', async () => {
  const schedule = await own.create();
  others.newestDay = '2024-01-30';
  await expect
    .poll(() => own.listed(schedule))
    .toMatchObject({ fires_after: '2024-01-30', held_up_by: undefined });
  others.newestDay = '2024-01-31';
  const older = ['2024-01-31', 'accepted'] as const;
  await own.untilFired(schedule, [older]);
  others.newestDay = '2024-07-02';
  await own.untilFired(schedule, [['2024-07-02', 'accepted'], older]);
  expect(own.runsOf(schedule)).toEqual(['2024-01-31', '2024-07-02']);
});
