import { userInfo } from 'node:os';
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '#foundation/iso-day.ts';
import { OperatedKeys, type NewKey } from './operated-keys.ts';

const operated = new OperatedKeys();
const { create } = operated;
const cli = (...words: string[]) => operated.cli('keys', ...words);
const json = <T>(...words: string[]) => operated.json<T>('keys', ...words);
const keyOf = (id: string) => json<Record<string, unknown>>('show', id);
const opens = (secret: string) =>
  operated.client.authenticate({ secret }, { requestId: 'req_test' }).then(
    ({ api_key }) => api_key!.id,
    (error: { code: string }) => error.code,
  );

test('create takes expiry and labels; list and show print them with last use and rotation', async () => {
  const created = await create('shop', '--expires', '2099-01-31', '--label', 'team=web', '--label', 'x=a=b');
  expect(created).toMatchObject({
    expires_at: '2099-01-31T17:00:00.000Z',
    labels: { team: 'web', x: 'a=b' },
  });
  await opens(created.secret);
  await json('rotate', created.id, '--grace', '7d');
  const key = await keyOf(created.id);
  expect(Object.keys(key).toSorted()).toEqual([
    'created_at',
    'disabled',
    'expires_at',
    'hint',
    'id',
    'labels',
    'last_used_at',
    'name',
    'previous_secret_until',
    'rate_limit_per_minute',
    'scopes',
    'test',
  ]);
  expect(key['last_used_at']).toMatch(/T\d\d:\d\d:00\.000Z$/);
  const { stdout } = await cli('list');
  const row = stdout.split('\n').find((line) => line.includes(created.id))!;
  expect(row).toContain('2099-02-01 00:00 WIB');
  expect(row).toContain('team=web x=a=b');
  expect(row.match(/\d{4}-\d\d-\d\d \d\d:\d\d WIB/g)).toHaveLength(3);
  expect((await cli('show', created.id)).stdout).toMatch(
    /secret\s+sar_\w{6}…, and the previous one until 20/,
  );
});

test('update changes only the named fields', async () => {
  const { id } = await create('before', '--rate-limit', '9', '--label', 'team=web', '--label', 'trial=yes');
  const words = ['--name', 'after', '--expires', '90d', '--label', 'trial=', '--label', 'tier=gold'];
  const key = await json<Record<string, string>>('update', id, ...words);
  expect(key).toMatchObject({
    name: 'after',
    rate_limit_per_minute: 9,
    labels: { team: 'web', tier: 'gold' },
  });
  const leftMs = Date.parse(key['expires_at']!) - Date.now();
  expect(Math.abs(leftMs - 90 * DAY_MS)).toBeLessThan(60_000);
  await json('update', id, '--never-expires', '--rate-limit', '10');
  expect(await keyOf(id)).toMatchObject({ name: 'after', expires_at: null, rate_limit_per_minute: 10 });
});

test('rotate prints the new secret once, and the old one works for a day or the given time', async () => {
  const { id, secret } = await create('rotated');
  const usual = await json<NewKey>('rotate', id);
  expect(usual).toMatchObject({ ...(await keyOf(id)), last_used_at: null });
  const leftMs = Date.parse(usual.previous_secret_until!) - Date.now();
  expect(Math.abs(leftMs - DAY_MS)).toBeLessThan(60_000);
  expect([await opens(secret), await opens(usual.secret)]).toEqual([id, id]);
  const { stdout } = await cli('rotate', id, '--grace', '0');
  const secrets = stdout.match(/sar_\w{39}/g)!;
  expect(secrets).toHaveLength(1);
  expect(stdout).toContain('only once');
  expect([await opens(secret), await opens(usual.secret)]).toEqual(['invalid_api_key', 'invalid_api_key']);
  expect(await opens(secrets[0])).toBe(id);
});

test('update changes scopes, and delete requires confirmation', async () => {
  const { id } = await create('rescoped');
  await json('update', id, '--scopes', 'usage:read, models:read');
  expect(await keyOf(id)).toMatchObject({ scopes: ['models:read', 'usage:read'] });
  const unasked = await cli('delete', id);
  expect(unasked).toMatchObject({ code: 1, stdout: '' });
  expect(unasked.stderr).toContain(`add --yes to delete ${id}`);
  expect(await keyOf(id)).toMatchObject({ id });
  expect(await json('delete', id, '--yes')).toEqual({ id, change: 'deleted' });
});

test('audit lists the actions and actors of one key or all keys, newest first', async () => {
  const { id } = await create('audited');
  await json('disable', id);
  await json('delete', id, '--yes');
  const { actions } = await json<{ actions: { action: string; actor: string }[] }>('audit', id);
  expect(actions.map(({ action }) => action)).toEqual(['deleted', 'disabled', 'created']);
  expect(new Set(actions.map(({ actor }) => actor))).toEqual(new Set([userInfo().username]));
  const { stdout } = await cli('audit', '--limit', '1');
  expect(stdout.trim().split('\n')).toHaveLength(2);
  expect(stdout).toMatch(new RegExp(`${id}\\s+deleted\\s+${userInfo().username}\\s+req_[0-9a-f]+`));
  expect((await cli('audit', 'key_unknown')).stdout).toBe('No action is recorded.\n');
});

describe('the command refuses with one sentence:', () => {
  test.each([
    ['an invalid expiry', ['create', '--name', 'x', '--scopes', 'data:read', '--expires', 'soon'], 2, '90d'],
    ['a label without a value', ['update', 'key_x', '--label', 'team'], 2, 'name=value'],
    [
      'an expiry together with --never-expires',
      ['update', 'key_x', '--expires', '1d', '--never-expires'],
      2,
      'cannot be used with',
    ],
    ['a grace period that is too long', ['rotate', 'key_x', '--grace', '31d'], 2, 'at most 30d'],
    ['a limit beyond any', ['update', 'key_x', '--rate-limit', '99999999999'], 2, 'at most'],
    [
      'too many actions to list',
      ['audit', '--limit', '1001'],
      1,
      'limit: must be a whole number from 1 to 1000',
    ],
    ['an unknown key', ['show', 'key_unknown'], 1, 'There is no key key_unknown. (not_found)'],
  ] as const)('%s', async (_, words, code, sentence) => {
    const response = await cli(...words);
    expect(response).toMatchObject({ code, stdout: '' });
    expect(response.stderr).toContain(sentence);
    expect(response.stderr).not.toMatch(/\bat .+:\d+/);
  });

  test('an update without a change', async () => {
    const { id } = await create('stays');
    const response = await cli('update', id);
    expect(response).toMatchObject({ code: 1, stdout: '' });
    expect(response.stderr).toContain('asks for no change (invalid_request)');
  });
});
