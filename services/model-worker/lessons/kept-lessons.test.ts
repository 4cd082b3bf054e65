import { expect, test } from 'vitest';
import type { Lesson } from '#models/learnt/lessons.ts';
import { KeptLessons } from './kept-lessons.ts';
import type { SharedLessons } from './shared-lessons.ts';

const lesson = (digest: string, bytes = 10) =>
  ({ digest, ensemble: { value: new Float32Array(bytes / 4) } }) as unknown as Lesson;

/** Stores bytes by name, like a stream. */
class Shelf implements SharedLessons {
  readonly held = new Map<string, Uint8Array>();
  fetches = 0;
  fetch = async (name: string) => {
    this.fetches++;
    return this.held.get(name);
  };
  offer = (name: string, serialised: Uint8Array) => void this.held.set(name, serialised);
}

test('kept lessons stay within the size limit by dropping the least recently used', async () => {
  const lessons = new KeptLessons(24);
  const digestsOf = (keys: string[]) =>
    Promise.all(keys.map(async (key) => (await lessons.find(key))?.digest));
  for (const name of ['a', 'b', 'c']) lessons.keep(name, lesson(name, 8));
  expect(await digestsOf(['a'])).toEqual(['a']);
  lessons.keep('d', lesson('d', 8));
  expect(await digestsOf(['a', 'b', 'c', 'd'])).toEqual(['a', undefined, 'c', 'd']);
  expect(lessons.bytes).toBe(24);
  lessons.keep('e', lesson('e', 28));
  expect([await lessons.find('e'), lessons.bytes]).toEqual([undefined, 0]);
});

test('a lesson kept again under the same key replaces the earlier one and counts once', async () => {
  const lessons = new KeptLessons(30);
  lessons.keep('a', lesson('1', 20));
  lessons.keep('a', lesson('2', 24));
  expect([(await lessons.find('a'))?.digest, lessons.bytes]).toEqual(['2', 24]);
});

test('a lesson learnt by another worker is found unchanged and fetched only once', async () => {
  const shelf = new Shelf();
  const [one, other] = [new KeptLessons(100, shelf), new KeptLessons(100, shelf)];
  one.keep('a', lesson('a', 8));
  expect(await other.find('a')).toEqual(lesson('a', 8));
  expect(await other.find('a')).toEqual(lesson('a', 8));
  expect([shelf.fetches, other.bytes]).toEqual([1, 8]);
  expect(await other.find('b')).toBeUndefined();
});
