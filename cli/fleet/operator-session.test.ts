import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import { loginName } from './operator-session.ts';

test('a user with a login name is identified by it', () => {
  expect(loginName(() => ({ username: 'dewi' }))).toBe('dewi');
});

test('a uid without an entry in the password database is identified by its number', () => {
  const noEntry = Object.assign(new Error('uv_os_get_passwd returned ENOENT'), { code: 'ERR_SYSTEM_ERROR' });
  const name = loginName(() => {
    throw noEntry;
  });
  expect(name).toBe(`uid:${userInfo().uid}`);
});
