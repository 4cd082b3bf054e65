import { expect, test } from 'vitest';
import { FairTurns } from './fair-turns.ts';

const STAYS = new AbortController().signal;
const MAX_WAITING = 3;

/** Takes turns with one place, which is given on by `end`, and lists who had it. */
function onePlace() {
  const turns = new FairTurns(1, MAX_WAITING);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const take = (name: string, caller = STAYS) =>
    turns.take(name[0]!, caller, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const end = async () => {
    ends.shift()!();
    await new Promise(setImmediate);
  };
  return { begun, take, end };
}

test('keys take turns, however much work one of them has', async () => {
  const { begun, take, end } = onePlace();
  const names = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'];
  const all = Promise.all(names.map((name) => take(name)));
  for (const _ of names) await end();
  await all;
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('work whose caller has left is never begun, and its turn is not lost', async () => {
  const { begun, take, end } = onePlace();
  const leaves = new AbortController();
  const first = take('a1');
  const left = expect(take('b1', leaves.signal)).rejects.toThrow('left');
  const last = take('c1');
  leaves.abort(new Error('left'));
  await end();
  await left;
  await end();
  await Promise.all([first, last]);
  expect(begun).toEqual(['a1', 'c1']);
  const again = take('d1');
  await end();
  await again;
});

test('a key of which too much waits is refused, and no other', async () => {
  const { begun, take, end } = onePlace();
  const names = ['a1', 'a2', 'a3', 'a4'];
  const admitted = names.map((name) => take(name));
  await expect(take('a5')).rejects.toThrow('too much waits');
  admitted.push(take('b1'));
  for (const _ of admitted) await end();
  await Promise.all(admitted);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
});
