import { expect, test } from 'vitest';
import { testScreens, type User } from '#support/services/test-screens.ts';

const own = testScreens(
  { '2024-06-28': { BBCA: 110, TLKM: 80 } },
  {
    settings: {
      SCREENS_PER_END_USER: '3',
      SCREENS_PER_KEY: '5',
      WATCHLISTS_PER_END_USER: '1',
    },
  },
);
const CALL = { requestId: 'req_test' };

const userOf = (api_key_id: string, end_user = 'alice'): User => ({ api_key_id, end_user });

/** How many of these attempts succeeded, and the messages of the others. */
async function outcomes(attempts: Promise<unknown>[]): Promise<{ done: number; refusals: string[] }> {
  const settled = await Promise.allSettled(attempts);
  const refusals = settled.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
  return { done: attempts.length - refusals.length, refusals };
}

test('an end user owns no more screens than allowed, however many are created at once', async () => {
  const user = userOf('key_a');
  const { done, refusals } = await outcomes(Array.from({ length: 8 }, () => own.create(user, 'close > 1')));
  expect([done, refusals.length]).toEqual([3, 5]);
  await expect(own.create(user, 'close > 1')).rejects.toMatchObject({
    code: 'invalid_request',
    message: 'An end user can own at most 3 screens, and this one does. Delete one first.',
  });
  const { screens } = await own.screens.listScreens({ ...user, limit: 10 }, CALL);
  await own.screens.deleteScreen({ screen_id: screens[0]!.screen_id, ...user }, CALL);
  await own.create(user, 'close > 1');
});

test('the end users of a key own no more screens together than allowed, and other keys have their own limit', async () => {
  const users = ['a', 'b', 'c', 'd'].flatMap((name) => [userOf('key_b', name), userOf('key_b', name)]);
  const { done } = await outcomes(users.map((user) => own.create(user, 'close > 1')));
  expect(done).toBe(5);
  await expect(own.create(userOf('key_b', 'z'), 'close > 1')).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('The end users of a key can own at most 5 screens together') as string,
  });
  await own.create(userOf('key_c'), 'close > 1');
});

test('watchlists have limits of their own', async () => {
  await own.watch(userOf('key_a'), ['BBCA']);
  await expect(own.watch(userOf('key_a'), ['BBCA'])).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('at most 1 watchlists') as string,
  });
  const many = Array.from({ length: 1_001 }, (_, i) => `T${i}`);
  await expect(own.watch(userOf('key_d'), many)).rejects.toMatchObject({ code: 'too_many_tickers' });
  await expect(own.watch(userOf('key_d'), ['BBCA', ' '])).rejects.toMatchObject({
    code: 'invalid_request',
    detail: [{ loc: ['tickers', 1] }],
  });
});
