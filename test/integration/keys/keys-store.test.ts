import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { KeyChanges } from '#services/keys/store/key-changes.ts';
import { testKeys, TESTER } from '#support/services/test-keys.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

const own = testKeys();
const NO_CHANGE = { neverExpires: false, labels: {} };

describe('the audit', () => {
  test.each([
    "update key_action set actor = 'somebody else'",
    'update key_action set actor = actor where false',
    'delete from key_action',
    'truncate key_action',
    'truncate api_key cascade',
    "insert into key_action overriding system value select * from key_action on conflict (seq) do update set actor = ''",
  ])('rejects this change in the database, even with triggers disabled: %s', async (statement) => {
    await own.create();
    const before = await own.database.selectFrom('key_action').selectAll().execute();
    for (const role of ['origin', 'replica']) {
      const changing = own.database.transaction().execute(async (db) => {
        await sql`set local session_replication_role = ${sql.lit(role)}`.execute(db);
        await sql.raw(statement).execute(db);
      });
      await expect(changing).rejects.toThrow('rows of key_action can be added and never changed');
    }
    expect(await own.database.selectFrom('key_action').selectAll().execute()).toEqual(before);
  });

  test('is written atomically with the change: a change that cannot be recorded does not happen', async () => {
    const { key, secret } = await own.create();
    const unrecordable = { ...TESTER, actor: 'NUL \0' };
    const count = async () => (await own.database.selectFrom('key_secret').selectAll().execute()).length;
    const before = await count();
    await expect(own.keys.rotate(key.id, 0, unrecordable)).rejects.toThrow();
    await expect(own.keys.delete(key.id, unrecordable)).rejects.toThrow();
    await expect(own.keys.disable(key.id, unrecordable)).rejects.toThrow();
    const request = { name: 'never', scopes: ['data:read'], labels: {} };
    await expect(own.keys.create(request, unrecordable)).rejects.toThrow();
    expect(await own.opened(secret)).toBe(key.id);
    expect(await own.keys.get(key.id)).toMatchObject({ revision: 0 });
    expect((await own.keys.list()).map(({ name }) => name)).not.toContain('never');
    expect([await count(), (await own.store.actions(key.id, 10)).length]).toEqual([before, 1]);
  });
});

test('concurrent changes are all applied completely', async () => {
  const { key } = await own.create();
  const labels = Array.from({ length: 8 }, (_, i) => [`label-${i}`, 'set'] as const);
  const [rotations] = await Promise.all([
    Promise.all(Array.from({ length: 6 }, () => own.keys.rotate(key.id, 3_600, TESTER))),
    ...labels.map(([name, value]) =>
      own.keys.update(key.id, { ...NO_CHANGE, labels: { [name]: value } }, TESTER),
    ),
  ]);
  const after = await own.keys.get(key.id);
  expect(after).toMatchObject({ labels: Object.fromEntries(labels), revision: 14 });
  expect(rotations.filter(({ secret }) => secret.startsWith(after.hint))).toHaveLength(1);
  const unended = own.database.selectFrom('key_secret').where('key_id', '=', key.id);
  expect(await unended.where('valid_until', 'is', null).selectAll().execute()).toHaveLength(1);
  const recorded = (await own.store.actions(key.id, 100)).map(({ action }) => action).toSorted();
  const updated = Array.from({ length: 8 }, () => 'updated');
  expect(recorded).toEqual(['created', ...Array.from({ length: 6 }, () => 'rotated'), ...updated]);
});

test('a concurrent rotation and deletion leave no working secret', async () => {
  for (let round = 0; round < 10; round++) {
    const { key, secret } = await own.create();
    const [rotated] = await Promise.allSettled([
      own.keys.rotate(key.id, 3_600, TESTER),
      own.keys.delete(key.id, TESTER),
    ]);
    const secrets = rotated.status === 'fulfilled' ? [secret, rotated.value.secret] : [secret];
    for (const each of secrets) expect(await own.opened(each)).toBe('invalid_api_key');
  }
});

describe('recording the last use', () => {
  test('does not delay authentication while the key is locked, and follows after the lock', async () => {
    const keys = [await own.create(), await own.create(), await own.create()];
    const other = new pg.Client(own.databaseUrl());
    await other.connect();
    await other.query('begin');
    await other.query('select * from keys.api_key for update');
    own.nowMs += 60_000;
    try {
      for (let round = 0; round < 3; round++)
        for (const { key, secret } of keys) expect(await own.opened(secret)).toBe(key.id);
      const waiting = await sql<{ count: string }>`select count(*) from pg_stat_activity
        where wait_event_type = 'Lock' and query like 'update%last_used_at%'`.execute(own.database);
      expect(Number(waiting.rows[0]!.count)).toBeLessThanOrEqual(1);
    } finally {
      await other.query('rollback');
      await other.end();
    }
    await own.lastUses.settled();
    const minute = new Date(own.nowMs - (own.nowMs % 60_000));
    for (const { key } of keys)
      expect(await own.keys.get(key.id)).toMatchObject({ last_used_at: minute, revision: 0 });
  });
});

test('the audit deletes entries past their retention, and nobody can delete younger ones', async () => {
  const { key } = await own.keys.create({ name: 'audited', scopes: ['data:read'], labels: {} }, TESTER);
  const changes = new KeyChanges(own.database);
  const old = {
    ts: new Date(Date.now() - 40 * DAY_MS),
    action: 'updated',
    ...TESTER,
    changes: '{}',
  } as const;
  await own.database
    .insertInto('key_action')
    .values({ ...old, key_id: key.id })
    .execute();
  await own.database
    .insertInto('key_action')
    .values({ ...old, ts: new Date(Date.now() - 20 * DAY_MS), key_id: key.id })
    .execute();

  const removeAll = own.database.deleteFrom('key_action').execute();
  await expect(removeAll).rejects.toThrow('rows of key_action can be added and never changed');
  const tooYoung = changes.forgetActions(new Date(Date.now() - 10 * DAY_MS));
  await expect(tooYoung).rejects.toThrow('actions of the last 30 days are kept');
  expect(await changes.forgetActions(new Date(Date.now() - 31 * DAY_MS))).toBeGreaterThan(0);
  const left = await own.store.actions(key.id, 10);
  expect(left.filter(({ action }) => action === 'updated')).toHaveLength(1);
  await expect(own.database.deleteFrom('key_action').execute()).rejects.toThrow('never changed');
});
