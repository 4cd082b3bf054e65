import { describe, expect, test } from 'vitest';
import type { ApiKey } from '#proto/saring/keys/v1/keys.ts';
import { unavailable, controlled, keyNo, unknown } from '../testing/controlled-keys.ts';
import { HARD_LIFETIME_MS, SOFT_LIFETIME_MS } from './key-cache.ts';

async function known(secret = 'secret') {
  const cache = controlled();
  const found = cache.keys.find(secret);
  cache.asked[0]!.answer(keyNo(0));
  await found;
  return cache;
}

describe('a known key', () => {
  test('is served without a look-up while it is fresh', async () => {
    const { keys, asked: requested, advance } = await known();
    advance(SOFT_LIFETIME_MS - 1);
    expect(keys.find('secret')).toEqual(keyNo(0));
    expect(requested).toHaveLength(1);
  });

  test('is served from the cache while one look-up refreshes it, and then with the new answer', async () => {
    const { keys, asked: requested, advance } = await known();
    advance(SOFT_LIFETIME_MS);
    expect([keys.find('secret'), keys.find('secret')]).toEqual([keyNo(0), keyNo(0)]);
    expect(requested).toHaveLength(2);
    requested[1]!.answer(keyNo(1));
    await Promise.resolve();
    await Promise.resolve();
    expect(keys.find('secret')).toEqual(keyNo(1));
  });

  test('stays known past its lifetime and through a change, until a look-up refuses it', async () => {
    const { keys, asked: requested, advance } = await known();
    advance(10 * HARD_LIFETIME_MS);
    expect([keys.knows('secret'), keys.knows('other')]).toEqual([true, false]);
    keys.outdate('key_1');
    expect(keys.knows('secret')).toBe(true);
    const found = keys.find('secret');
    requested[1]!.refuse(unknown);
    await expect(found).rejects.toBe(unknown);
    expect(keys.knows('secret')).toBe(false);
  });

  test('survives a failed refresh until its hard lifetime ends; then callers get the error', async () => {
    const { keys, asked: requested, advance } = await known();
    advance(SOFT_LIFETIME_MS);
    expect(keys.find('secret')).toEqual(keyNo(0));
    requested[1]!.refuse(unavailable);
    await new Promise((resolve) => setImmediate(resolve));
    advance(HARD_LIFETIME_MS - SOFT_LIFETIME_MS - 1);
    expect(keys.find('secret')).toEqual(keyNo(0));
    advance(1);
    const late = keys.find('secret');
    requested.at(-1)!.refuse(unavailable);
    await expect(late).rejects.toBe(unavailable);
  });

  test('is dropped as soon as a refresh says that it is unknown', async () => {
    const { keys, asked: requested, advance } = await known();
    advance(SOFT_LIFETIME_MS);
    void keys.find('secret');
    requested[1]!.refuse(unknown);
    await new Promise((resolve) => setImmediate(resolve));
    const next = keys.find('secret');
    requested[2]!.refuse(unknown);
    await expect(next).rejects.toBe(unknown);
  });

  test('is looked up again after an announced change, while other keys stay cached', async () => {
    const { keys, asked: requested } = await known();
    const other = keys.find('other');
    requested[1]!.answer(keyNo(1, 'key_2'));
    await other;
    keys.outdate('key_1');
    expect(keys.find('other')).toEqual(keyNo(1, 'key_2'));
    void keys.find('secret');
    expect(requested.map(({ secret }) => secret)).toEqual(['secret', 'other', 'secret']);
  });
});

test('after a change of a key, each of its secrets is looked up again', async () => {
  const { keys, asked: requested } = controlled();
  const secrets = ['older secret', 'newer secret'];
  const found = secrets.map((secret) => keys.find(secret));
  for (const question of [0, 1]) requested[question]!.answer(keyNo(question));
  for (const each of found) await each;
  keys.outdate('key_1');
  for (const secret of secrets) void keys.find(secret);
  expect(requested.slice(2).map(({ secret }) => secret)).toEqual(secrets);
});

test('the refusal of a look-up begun before a change does not discard the key found after it', async () => {
  const { keys, asked: requested } = controlled();
  const early = keys.find('secret');
  keys.outdate('key_1');
  const late = keys.find('secret');
  requested[1]!.answer(keyNo(1));
  await late;
  requested[0]!.refuse(unknown);
  await expect(early).rejects.toBe(unknown);
  expect(keys.knows('secret')).toBe(true);
});

test('concurrent requests for one secret share one look-up', async () => {
  const { keys, asked: requested } = controlled();
  const all = Array.from({ length: 100 }, async () => keys.find('secret'));
  expect(requested).toHaveLength(1);
  requested[0]!.answer(keyNo(0));
  expect(new Set(await Promise.all(all)).size).toBe(1);
});

test('a refused secret is looked up every time, so that a newly created key works immediately', async () => {
  const { keys, asked: requested } = controlled();
  const before = keys.find('secret');
  requested[0]!.refuse(unknown);
  await expect(before).rejects.toBe(unknown);
  const after = keys.find('secret');
  requested[1]!.answer(keyNo(1));
  expect(await after).toEqual(keyNo(1));
});

/** The promise for every change. The contract says "within about a second". */
const EFFECTIVE_WITHIN_MS = 1_000;

test.each([1, 100, 399, 650, 899, 1_500])(
  'a change that nobody announces takes effect within a second, also when look-ups take %i ms',
  async (takesMs) => {
    const { keys, asked: requested, advance, now } = controlled();
    const agesMs: number[] = [];
    const usedAt = (requestedAtMs: number) => (key: ApiKey) =>
      // A look-up may answer what held when it began. A change just after that must count a second later.
      void agesMs.push(requestedAtMs - requested[Number(key.name)]!.atMs);
    for (let answered = 0; now() < 10_000; advance(20)) {
      for (; (requested[answered]?.atMs ?? Infinity) + takesMs <= now(); answered++)
        requested[answered]!.answer(keyNo(answered));
      await new Promise((resolve) => setImmediate(resolve));
      const [found, use] = [keys.find('secret'), usedAt(now())];
      if (found instanceof Promise) void found.then(use);
      else use(found);
    }
    expect(Math.max(...agesMs)).toBeLessThan(EFFECTIVE_WITHIN_MS);
  },
);
