import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { MAX_STEPS, Turns } from './turns.ts';

test('a turn of the event loop takes a few steps, however many connections have more to do', async () => {
  const turns = new Turns();
  let taken = 0;
  const endless = Array.from({ length: 3 * MAX_STEPS }, () => () => ++taken > 0);
  for (const step of endless) turns.add(step);
  for (let turn = 0; turn < 5; turn++) {
    const before = taken;
    await nextTurn();
    expect(taken - before).toBe(MAX_STEPS);
  }
  for (const step of endless) turns.remove(step);
  const before = taken;
  await nextTurn();
  expect(taken).toBe(before);
});
