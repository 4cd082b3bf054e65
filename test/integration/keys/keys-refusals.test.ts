import { expect, test } from 'vitest';
import { newSecret } from '#services/keys/secret.ts';
import { testKeys, TESTER } from '#support/services/test-keys.ts';

const own = testKeys();
const KINDS = ['unknown', 'deleted', 'expired', 'rotated away', 'deleted while rotated'] as const;
type Kind = (typeof KINDS)[number];

/** A secret of each kind that must be refused. */
async function refusedSecrets(): Promise<Record<Kind, string>> {
  const [deleted, expired, rotated, both] = [
    await own.create(),
    await own.create(),
    await own.create(),
    await own.create(),
  ];
  await own.keys.delete(deleted.key.id, TESTER);
  const soon = { expiresAt: new Date(own.nowMs + 1), neverExpires: false, labels: {} };
  await own.keys.update(expired.key.id, soon, TESTER);
  await own.keys.rotate(rotated.key.id, 0, TESTER);
  await own.keys.rotate(both.key.id, 3_600, TESTER);
  await own.keys.delete(both.key.id, TESTER);
  own.nowMs += 1;
  return {
    unknown: newSecret(),
    deleted: deleted.secret,
    expired: expired.secret,
    'rotated away': rotated.secret,
    'deleted while rotated': both.secret,
  };
}

test('unknown, deleted, expired and rotated-away secrets run the same statement and get the same answer', async () => {
  const secrets = await refusedSecrets();
  const traces = [];
  for (const kind of KINDS) {
    own.statements.length = 0;
    const error = await own.authentication.authenticate(secrets[kind]).catch((thrown: unknown) => thrown);
    await own.lastUses.settled();
    traces.push({ error: String(error), statements: [...own.statements] });
  }
  expect(traces[0]!.error).toBe('ServiceError: The API key is unknown or has been revoked.');
  expect(traces[0]!.statements).toHaveLength(1);
  for (const trace of traces) expect(trace).toEqual(traces[0]);
});

test('a malformed secret gets the same message without a database query', async () => {
  const secret = newSecret();
  own.statements.length = 0;
  for (const text of ['', 'x', `${secret}x`, secret.replace(/.$/, (last) => (last === '0' ? '1' : '0'))]) {
    const refused = own.authentication.authenticate(text);
    await expect(refused).rejects.toThrow('The API key is unknown or has been revoked.');
  }
  expect(own.statements).toEqual([]);
});

test('a test key gets no scope that shows the usage of all keys, neither at its creation nor later', async () => {
  const scopes = ['data:read', 'usage:admin'];
  const wish = { name: 'test', labels: {}, test: true };
  const refusal = {
    code: 'invalid_request',
    detail: [{ loc: ['scopes'], msg: 'must be without usage:admin for a test key' }],
  };
  await expect(own.keys.create({ ...wish, scopes }, TESTER)).rejects.toMatchObject(refusal);
  const { key } = await own.keys.create({ ...wish, scopes: ['data:read'] }, TESTER);
  const change = { scopes, neverExpires: false, labels: {} };
  await expect(own.keys.update(key.id, change, TESTER)).rejects.toMatchObject(refusal);
  const ordinary = await own.create();
  expect(await own.keys.update(ordinary.key.id, change, TESTER)).toMatchObject({ scopes });
});
