import { expect, test } from 'vitest';
import { EventTold } from '#proto/saring/events/v1/told.ts';
import { testKeys, TESTER } from '#support/services/test-keys.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

/** Nothing publishes here, so that the outbox keeps what was told. */

const own = testKeys();
const inDays = (days: number) => new Date(own.nowMs + days * DAY_MS);

async function keyThatExpires(days: number): Promise<string> {
  const request = { name: 'x', scopes: ['data:read'], labels: {}, expiresAt: inDays(days) };
  return (await own.keys.create(request, TESTER)).key.id;
}

/** Two copies look at the same time. Returns the days of which a key has been told so far. */
async function told(id: string): Promise<number[]> {
  await Promise.all([own.notices.tellDue(), own.notices.tellDue()]);
  const rows = await own.database.selectFrom('outbox').select('message').orderBy('seq').execute();
  const events = rows.map(({ message }) => EventTold.decode(message));
  expect(events.every(({ type }) => type === 'key.expiring')).toBe(true);
  return events.filter(({ api_key_id }) => api_key_id === id).map(({ data }) => data!['days_left'] as number);
}

async function afterDays(days: number): Promise<void> {
  own.nowMs += days * DAY_MS;
}

test('a key is told 14, 7 and 1 days before it expires, once each', async () => {
  const id = await keyThatExpires(20);
  expect(await told(id)).toEqual([]);
  await afterDays(6);
  expect(await told(id)).toEqual([14]);
  expect(await told(id)).toEqual([14]);
  await afterDays(7);
  expect(await told(id)).toEqual([14, 7]);
  await afterDays(5.5);
  expect(await told(id)).toEqual([14, 7]);
  await afterDays(0.5);
  expect(await told(id)).toEqual([14, 7, 1]);
  await afterDays(1);
  expect(await told(id)).toEqual([14, 7, 1]);
});

test('of notices that passed unseen only the last is told', async () => {
  const id = await keyThatExpires(3);
  expect(await told(id)).toEqual([3]);
  await afterDays(2.5);
  expect(await told(id)).toEqual([3, 1]);
});

test('a key that gets another expiry is told anew, and one that never expires is not', async () => {
  const id = await keyThatExpires(1);
  expect(await told(id)).toEqual([1]);
  const change = { neverExpires: false, labels: {} };
  await own.keys.update(id, { ...change, expiresAt: inDays(10) }, TESTER);
  expect(await told(id)).toEqual([1, 10]);
  await own.keys.update(id, { ...change, neverExpires: true }, TESTER);
  await afterDays(9.5);
  expect(await told(id)).toEqual([1, 10]);
});

test('a disabled key is told once it is enabled, a deleted one never', async () => {
  const [disabled, deleted] = [await keyThatExpires(5), await keyThatExpires(5)];
  await own.keys.disable(disabled, TESTER);
  await own.keys.delete(deleted, TESTER);
  expect(await told(disabled)).toEqual([]);
  await own.keys.enable(disabled, TESTER);
  expect(await told(disabled)).toEqual([5]);
  expect(await told(deleted)).toEqual([]);
});
