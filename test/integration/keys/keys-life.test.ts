import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ActionName } from '#services/keys/store/key-action.ts';
import { hintOf } from '#services/keys/secret.ts';
import { testKeys, TESTER } from '#support/services/test-keys.ts';

const own = testKeys();
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The expected state of a key. */
interface KeyModel {
  id: string;
  secrets: { secret: string; untilMs: number }[];
  isDisabled: boolean;
  isDeleted: boolean;
  expiresAtMs: number;
  lastUsedMs: number | undefined;
  actions: ActionName[];
}

const dateOf = (ms: number) => (ms === Infinity ? null : new Date(ms));

/** Tries every secret that the key has had, and compares its listing with the model. */
async function expectLikeModel(key: KeyModel): Promise<void> {
  const isOver = key.isDeleted || own.nowMs >= key.expiresAtMs;
  for (const { secret, untilMs } of key.secrets) {
    const isRefused = isOver || own.nowMs >= untilMs;
    const open = key.isDisabled ? `${key.id} disabled` : key.id;
    expect(await own.opened(secret)).toBe(isRefused ? 'invalid_api_key' : open);
    if (!isRefused && !key.isDisabled) key.lastUsedMs = own.nowMs - (own.nowMs % MINUTE_MS);
  }
  await own.lastUses.settled();
  const shown = (await own.keys.list()).find(({ id }) => id === key.id);
  expect(shown === undefined).toBe(key.isDeleted);
  if (!shown) return;
  const previousUntilMs = key.secrets.at(-2)?.untilMs ?? 0;
  expect(shown).toMatchObject({
    hint: hintOf(key.secrets.at(-1)!.secret),
    previous_secret_until: previousUntilMs > own.nowMs ? new Date(previousUntilMs) : null,
    expires_at: dateOf(key.expiresAtMs),
    last_used_at: key.lastUsedMs === undefined ? null : new Date(key.lastUsedMs),
  });
  expect(await own.keys.get(key.id)).toEqual(shown);
}

/** A change of the key and of its model. On a deleted key, an operator's change must fail. */
function step(title: string, recorded: ActionName | undefined, take: (key: KeyModel) => Promise<unknown>) {
  const run = async (key: KeyModel) => {
    if (key.isDeleted && recorded) {
      await expect(take({ ...key })).rejects.toMatchObject({ code: 'not_found' });
    } else {
      await take(key);
      if (recorded) key.actions.push(recorded);
    }
    await expectLikeModel(key);
  };
  return { check: () => true, run, toString: () => title };
}

const disable = step('disable', 'disabled', async (key) => {
  await own.keys.disable(key.id, TESTER);
  key.isDisabled = true;
});
const enable = step('enable', 'enabled', async (key) => {
  await own.keys.enable(key.id, TESTER);
  key.isDisabled = false;
});
const remove = step('delete', 'deleted', async (key) => {
  await own.keys.delete(key.id, TESTER);
  key.isDeleted = true;
});
const neverExpire = step('never expire', 'updated', async (key) => {
  await own.keys.update(key.id, { neverExpires: true, labels: {} }, TESTER);
  key.expiresAtMs = Infinity;
});
const expireAfter = (hours: number) =>
  step(`expire after ${hours} h`, 'updated', async (key) => {
    const expiresAt = new Date(own.nowMs + hours * HOUR_MS);
    await own.keys.update(key.id, { expiresAt, neverExpires: false, labels: {} }, TESTER);
    key.expiresAtMs = expiresAt.getTime();
  });
const rotate = (graceHours: number) =>
  step(`rotate, grace ${graceHours} h`, 'rotated', async (key) => {
    const { secret } = await own.keys.rotate(key.id, graceHours * 3_600, TESTER);
    const untilMs = own.nowMs + graceHours * HOUR_MS;
    for (const earlier of key.secrets) earlier.untilMs = Math.min(earlier.untilMs, untilMs);
    key.secrets.push({ secret, untilMs: Infinity });
  });
const pass = (ms: number) => step(`${ms} ms pass`, undefined, async () => (own.nowMs += ms));

const steps = [
  fc.constantFrom(disable, enable),
  fc.constantFrom(0, 1, 2, 5).map(rotate),
  fc.constantFrom(1, 2, 5).map(expireAfter),
  fc.constant(neverExpire),
  fc.constantFrom(1, HOUR_MS - 1, HOUR_MS, 2 * HOUR_MS).map(pass),
  fc.constantFrom(1, HOUR_MS - 1, HOUR_MS, 2 * HOUR_MS).map(pass),
  fc.constant(remove),
];

test('for any history of a key each secret works exactly as long as it should, and every step is recorded', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.commands<KeyModel, object, false>(steps, { maxCommands: 14, size: 'max' }),
      async (life) => {
        const { key, secret } = await own.create();
        const model: KeyModel = {
          id: key.id,
          secrets: [{ secret, untilMs: Infinity }],
          expiresAtMs: Infinity,
          isDisabled: false,
          isDeleted: false,
          lastUsedMs: undefined,
          actions: ['created'],
        };
        await fc.asyncModelRun(() => ({ model, real: {} }), life);
        const recorded = await own.store.actions(key.id, 100);
        expect(recorded.map(({ action }) => action)).toEqual(model.actions.toReversed());
      },
    ),
    { numRuns: 35 },
  );
});
