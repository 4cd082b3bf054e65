import { expect, test, vi } from 'vitest';
import { CheckedKeys, PATIENCE_MS, type Checked } from './checked-keys.ts';
import type { KeyRow } from './store/key-store.ts';

const LAST_MS = 600_000;
const unavailable = async (): Promise<Checked> => {
  throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
};
const keyOf = (name: string, validUntil?: Date): Checked => ({
  key: { id: 'key_1', name } as KeyRow,
  validUntil,
});

/** Keys on a clock that the test moves. */
function onClock(lastMs = LAST_MS) {
  let nowMs = 0;
  const checked = new CheckedKeys({ lastMs, clock: () => new Date(nowMs) });
  const find = async (read: () => Promise<Checked | undefined>) =>
    (await checked.find('hash', read).catch(() => ({ key: { name: 'unavailable' } })))?.key.name;
  return { checked, find, advance: (ms: number) => (nowMs += ms) };
}

test('what the database said counts while it is unavailable, for the declared time since it last answered', async () => {
  const { find, advance } = onClock();
  expect(await find(unavailable)).toBe('unavailable');
  expect(await find(async () => keyOf('first'))).toBe('first');
  expect(await find(async () => keyOf('second'))).toBe('second');
  advance(LAST_MS - 1);
  expect(await find(unavailable)).toBe('second');
  advance(1);
  expect(await find(unavailable)).toBe('unavailable');
});

test('with a time of 0, nothing counts', async () => {
  const { find } = onClock(0);
  await find(async () => keyOf('first'));
  expect(await find(unavailable)).toBe('unavailable');
});

test('a key that ends meanwhile, and one that was refused since, do not go on', async () => {
  const { find, advance } = onClock();
  await find(async () => keyOf('ending', new Date(1_000)));
  advance(999);
  expect(await find(unavailable)).toBe('ending');
  advance(1);
  expect(await find(unavailable)).toBe('unavailable');
  await find(async () => keyOf('endless'));
  expect(await find(async () => undefined)).toBeUndefined();
  expect(await find(unavailable)).toBe('unavailable');
});

test('a changed key does not go on, also if an answer of before the change comes later', async () => {
  const { checked, find } = onClock();
  const late = Promise.withResolvers<Checked>();
  await find(async () => keyOf('first'));
  const finding = find(() => late.promise);
  checked.forget('key_2');
  expect(await find(unavailable)).toBe('first');
  checked.forget('key_1');
  late.resolve(keyOf('late'));
  expect(await finding).toBe('late');
  expect(await find(unavailable)).toBe('unavailable');
});

test('a database that hangs is not waited for if a check counts, and its late answer is learnt', async () => {
  vi.useFakeTimers();
  try {
    const { find } = onClock();
    const late = Promise.withResolvers<Checked>();
    await find(async () => keyOf('first'));
    const finding = find(() => late.promise);
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    expect(await finding).toBe('first');
    late.resolve(keyOf('late'));
    await vi.advanceTimersByTimeAsync(0);
    expect(await find(unavailable)).toBe('late');
  } finally {
    vi.useRealTimers();
  }
});

test('any other failure than that of a database that is unavailable is reported', async () => {
  const { checked, find } = onClock();
  await find(async () => keyOf('first'));
  const failing = checked.find('hash', async () => {
    throw new TypeError('a mistake');
  });
  await expect(failing).rejects.toThrow('a mistake');
});
