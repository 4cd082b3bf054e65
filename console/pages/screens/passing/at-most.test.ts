import { expect, test } from 'vitest';
import { atMost } from './at-most.ts';

const STAYING = new AbortController().signal;

/** Tasks that end when told to, and the names of those that have begun. */
function tasks() {
  const begun: string[] = [];
  const ends = new Map<string, { resolve: () => void; reject: (failure: Error) => void }>();
  const task = (name: string) => () => {
    begun.push(name);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    ends.set(name, { resolve, reject });
    return promise;
  };
  return { begun, ends, task };
}

test('no more run at once than allowed, in the order in which they came, and one that fails makes room', async () => {
  const { begun, ends, task } = tasks();
  const run = atMost(2);
  const all = ['a', 'b', 'c', 'd'].map((name) => run(task(name), STAYING));
  expect(begun).toEqual(['a', 'b']);
  ends.get('b')!.reject(new Error('b failed'));
  await expect(all[1]).rejects.toThrow('b failed');
  await expect.poll(() => begun).toEqual(['a', 'b', 'c']);
  ends.get('a')!.resolve();
  await expect.poll(() => begun).toEqual(['a', 'b', 'c', 'd']);
  for (const { resolve } of ends.values()) resolve();
  await Promise.all([all[0], all[2], all[3]]);
});

test('one that nobody waits for any more is not run, and makes room', async () => {
  const { begun, ends, task } = tasks();
  const run = atMost(1);
  const leaving = new AbortController();
  const first = run(task('a'), STAYING);
  const second = run(task('b'), leaving.signal);
  const third = run(task('c'), STAYING);
  leaving.abort();
  ends.get('a')!.resolve();
  await first;
  await expect(second).rejects.toThrow();
  await expect.poll(() => begun).toEqual(['a', 'c']);
  ends.get('c')!.resolve();
  await third;
});
