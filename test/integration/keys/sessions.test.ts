import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { statementsBlocked, whileLocked } from '#support/servers/while-locked.ts';
import { testKeys, TESTER } from '#support/services/test-keys.ts';

const own = testKeys();
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

async function started() {
  const { key, secret: keySecret } = await own.keys.create(
    { name: 'of a browser', scopes: ['data:read'], labels: {} },
    TESTER,
  );
  return { key, keySecret, ...(await own.sessions.start(key.id, 'Firefox', keySecret)) };
}

/** Lets time pass and uses the session, as a browser does whose page is open. */
async function usedAfter(secret: string, ms: number): Promise<string> {
  own.nowMs += ms;
  const opened = await own.opened(secret);
  await own.lastUsesOfSessions.settled();
  return opened;
}

test('a session lasts while it is used every 12 hours, for 30 days', async () => {
  const { key, secret } = await started();
  for (let hours = 11; hours < 30 * 24; hours += 11)
    expect(await usedAfter(secret, 11 * HOUR_MS)).toBe(key.id);
  expect(await usedAfter(secret, 11 * HOUR_MS)).toBe('invalid_api_key');
});

test('a session that is not used for 12 hours has ended, and is not listed', async () => {
  const { key, secret } = await started();
  expect(await usedAfter(secret, 12 * HOUR_MS - 60_000)).toBe(key.id);
  expect(await usedAfter(secret, 12 * HOUR_MS)).toBe('invalid_api_key');
  expect(await own.sessions.list(key.id)).toEqual([]);
});

test('says when it ends if it is not used', async () => {
  const { key, session } = await started();
  expect(session.ends_at).toEqual(new Date(own.nowMs + 12 * HOUR_MS));
  expect(await own.sessions.list(key.id)).toEqual([session]);
});

test.each([
  ['disabled', (id: string) => own.keys.disable(id, TESTER)],
  ['rotated, also with a grace for its secret', (id: string) => own.keys.rotate(id, 3_600, TESTER)],
  ['deleted', (id: string) => own.keys.delete(id, TESTER)],
])('every session of a key ends for good when the key is %s', async (_, change) => {
  const { key, keySecret, secret } = await started();
  const other = await own.sessions.start(key.id, 'Chrome', keySecret);
  await change(key.id);
  await own.keys.enable(key.id, TESTER).catch(() => {});
  for (const ended of [secret, other.secret]) expect(await own.opened(ended)).toBe('invalid_api_key');
  expect(await own.sessions.list(key.id)).toEqual([]);
});

test('a session that is started with a replaced secret ends with it', async () => {
  const { key, keySecret } = await started();
  const { secret: newer } = await own.keys.rotate(key.id, HOUR_MS / 1_000, TESTER);
  const ofOld = await own.sessions.start(key.id, 'Firefox', keySecret);
  const ofNew = await own.sessions.start(key.id, 'Firefox', newer);
  expect(await usedAfter(ofOld.secret, HOUR_MS - 60_000)).toBe(key.id);
  expect(await usedAfter(ofOld.secret, 60_000)).toBe('invalid_api_key');
  expect(await own.opened(ofNew.secret)).toBe(key.id);
  expect(await own.sessions.list(key.id)).toMatchObject([{ id: ofNew.session.id }]);
});

test('a session that begins while its key is given a new secret ends with the old one', async () => {
  const { key, keySecret } = await started();
  const find = own.store.findBySecret.bind(own.store);
  vi.spyOn(own.store, 'findBySecret').mockImplementationOnce(async (...asked) => {
    const found = await find(...asked);
    await own.keys.rotate(key.id, 0, TESTER);
    return found;
  });
  const { secret } = await own.sessions.start(key.id, 'Firefox', keySecret);
  expect(await own.opened(secret)).toBe('invalid_api_key');
});

test('nobody starts a session with the secret of another key, or with an unknown one', async () => {
  const [{ key }, { keySecret }] = [await started(), await started()];
  for (const secret of [keySecret, 'sar_unknown'])
    await expect(own.sessions.start(key.id, 'Firefox', secret)).rejects.toMatchObject({ code: 'not_found' });
});

test('a session ends when its key expires', async () => {
  const { key, secret } = await started();
  const expiresAt = new Date(own.nowMs + DAY_MS / 4);
  await own.keys.update(key.id, { expiresAt, neverExpires: false, labels: {} }, TESTER);
  expect(await usedAfter(secret, DAY_MS / 4)).toBe('invalid_api_key');
});

test('a renamed or relabelled key keeps its sessions', async () => {
  const { key, secret } = await started();
  await own.keys.update(key.id, { name: 'other', neverExpires: false, labels: { team: 'a' } }, TESTER);
  expect(await own.opened(secret)).toBe(key.id);
});

test('a key has a hundred sessions at most: one more ends the oldest', async () => {
  const { key, keySecret, secret } = await started();
  for (let one = 0; one < 99; one++) {
    own.nowMs += 1;
    await own.sessions.start(key.id, `browser ${one}`, keySecret);
  }
  expect(await own.opened(secret)).toBe(key.id);
  own.nowMs += 1;
  await own.sessions.start(key.id, 'one too many', keySecret);
  expect(await own.opened(secret)).toBe('invalid_api_key');
  expect(await own.sessions.list(key.id)).toHaveLength(100);
});

test('of sessions that start at the same time a key keeps a hundred as well', async () => {
  const { key, keySecret } = await started();
  const start = () => own.sessions.start(key.id, 'at once', keySecret);
  for (let one = 0; one < 99; one++) await start();
  const ofKey = sql`select from session where key_id = ${key.id} for update`;
  const five = await whileLocked(own.database, ofKey, async () => {
    const starting = Promise.all(Array.from({ length: 5 }, start));
    await expect.poll(() => statementsBlocked(own.database, '%')).toBe(5);
    return { starting };
  });
  await five.starting;
  expect(await own.sessions.list(key.id)).toHaveLength(100);
});

test('a disabled or unknown key starts no session', async () => {
  const { key, keySecret } = await started();
  await own.keys.disable(key.id, TESTER);
  for (const id of [key.id, `key_${'0'.repeat(24)}`, 'x'])
    await expect(own.sessions.start(id, 'Firefox', keySecret)).rejects.toMatchObject({ code: 'not_found' });
});

test('whatever a browser calls itself is kept in 200 characters that can be shown', async () => {
  const { key } = await started();
  const { session } = await own.sessions.start(key.id, `a\0b\n${'x'.repeat(500)}`, '');
  expect(session.browser).toBe(`ab${'x'.repeat(198)}`);
});

test('sessions that have ended are removed', async () => {
  const { secret } = await started();
  const kept = await started();
  own.nowMs += 12 * HOUR_MS;
  await own.lastUsesOfSessions.settled();
  const lasting = await own.sessions.start(kept.key.id, 'Firefox', kept.keySecret);
  await own.sessions.removeEnded();
  const rows = await own.database.selectFrom('session').select('id').execute();
  expect(rows).toEqual([{ id: lasting.session.id }]);
  expect(await own.opened(secret)).toBe('invalid_api_key');
});
