import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { unavailable, keyNo, unknown } from '../testing/controlled-keys.ts';
import { SOFT_LIFETIME_MS } from './key-cache.ts';
import { KeyWatch, ROUND_MS as USUAL_ROUND_MS } from './key-watch.ts';

const ROUND_MS = 5;
const SEVERAL_ROUNDS_MS = 60;
const RUNNER = { ...keyNo(0), scopes: ['models:run'] };
const ENTRY = { secret: 'secret', access: 'models:run' } as const;

/** A watch over keys whose look-ups answer as `state.answer` says. */
function watched() {
  const state = { asked: 0, answer: async () => RUNNER };
  const find = () => (state.asked++, state.answer());
  return { state, keys: new KeyWatch({ find }, ROUND_MS) };
}

test('open streams are checked so often that a change ends them within a second', () => {
  expect(SOFT_LIFETIME_MS + 2 * USUAL_ROUND_MS).toBeLessThan(1_000);
});

test.each([
  ['unknown', () => Promise.reject(unknown)],
  ['disabled', async () => ({ ...RUNNER, disabled: true })],
  ['without the scope', async () => ({ ...RUNNER, scopes: ['data:read'] })],
])('all remaining watchers of a secret learn that it has become %s', async (_, response) => {
  const { state, keys } = watched();
  const reported: string[] = [];
  const watch = (name: string) => {
    const leave = keys.watch(ENTRY, () => (reported.push(name), leave()));
    return leave;
  };
  watch('first');
  watch('second');
  watch('gone')();
  await sleep(SEVERAL_ROUNDS_MS);
  expect([reported, await keys.isLetIn(ENTRY)]).toEqual([[], true]);
  state.answer = response;
  await expect.poll(() => reported).toEqual(['first', 'second']);
  expect([await keys.isLetIn(ENTRY), keys.size]).toEqual([false, 0]);
});

test('an outage of the keys service ends no watch and reports nothing to watchers', async () => {
  const { state, keys } = watched();
  let refusals = 0;
  const leave = keys.watch(ENTRY, () => refusals++);
  state.answer = () => Promise.reject(unavailable);
  await expect.poll(() => state.asked).toBeGreaterThan(2);
  expect([refusals, await keys.isLetIn(ENTRY)]).toEqual([0, false]);
  state.answer = () => Promise.reject(unknown);
  await expect.poll(() => refusals).toBeGreaterThan(0);
  leave();
});

test('all watchers of a secret share its look-ups, which end when the last watcher leaves', async () => {
  const { state, keys } = watched();
  let open = 0;
  let most = 0;
  state.answer = async () => {
    most = Math.max(most, ++open);
    await sleep(ROUND_MS);
    open--;
    return RUNNER;
  };
  const leaves = Array.from({ length: 10 }, () => keys.watch(ENTRY, () => {}));
  await expect.poll(() => state.asked).toBeGreaterThan(2);
  expect(most).toBe(1);
  for (const leave of leaves) leave();
  expect(keys.size).toBe(0);
  const requestedBefore = state.asked;
  await sleep(SEVERAL_ROUNDS_MS);
  expect(state.asked).toBe(requestedBefore);
});
